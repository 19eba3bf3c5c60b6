import type { Work } from '../../../server/work.ts'
import { forgetOld, giveUpDetection } from './detecting.ts'
import { runPictures, runShelfPictures, runVideo, shelfKind, shelfPictures } from './pictures/detect.ts'
import { forgetWords } from './ratings.ts'

export default {
  handover: {
    rows: [{ table: 'lifecycle_picture_hashes' }, { table: 'lifecycle_alpha_ratings' }],
    stays: { lifecycle_detections: 'who asked sees the answer' },
  },
  jobs: [
    { kind: 'lifecycle.pictures', run: runPictures, giveUp: giveUpDetection },
    { kind: 'lifecycle.video', run: runVideo, giveUp: giveUpDetection },
    { kind: shelfKind, run: runShelfPictures },
  ],
  listeners: [
    shelfPictures,
    {
      name: 'lifecycle.forget',
      on: ['session.account_forgotten'],
      run: (ctx, event) => forgetWords(ctx, event.entityId),
    },
  ],
  sweeps: [{ name: 'lifecycle.forgetOld', every: '0 27 3 * * *', database: 'zone', run: forgetOld }],
} satisfies Work
