import type { Work } from '../../../server/work.ts'
import { forgetOld, giveUpDetection } from './detecting.ts'
import { runPictures, runShelfPictures, runVideo, shelfKind, shelfPictures } from './pictures/detect.ts'
import { forgetWords } from './ratings.ts'

export default {
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
