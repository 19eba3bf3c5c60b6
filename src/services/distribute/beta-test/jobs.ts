import type { Work } from '../../../server/work.ts'
import { sweepActivities } from './activities/activities.ts'
import { sweepPictures } from './feedback/giving.ts'
import { forgetTesters, purgeApps } from './forgetting.ts'
import { betaHandover } from './handover.ts'
import { mailJoin, sweepJoins } from './invitations/joining.ts'
import { sweepLinks } from './invitations/links.ts'
import { mailInvitations } from './invitations/mail.ts'
import { activityNotices, feedbackNotices } from './notices.ts'
import { dropImports, giveUpImport, runImport } from './people/importing.ts'

export default {
  handover: betaHandover,
  jobs: [
    { kind: 'betaTest.invite', run: mailInvitations },
    { kind: 'betaTest.join', run: mailJoin },
    { kind: 'betaTest.import', run: runImport, giveUp: giveUpImport },
  ],
  listeners: [feedbackNotices, activityNotices, forgetTesters, purgeApps],
  sweeps: [
    { name: 'betaTest.activities', every: '*/30 * * * * *', database: 'zone', run: sweepActivities },
    { name: 'betaTest.links', every: '15 * * * * *', database: 'zone', run: sweepLinks },
    {
      name: 'betaTest.old',
      every: '0 17 * * * *',
      database: 'zone',
      run: async ctx => {
        await sweepJoins(ctx)
        await sweepPictures(ctx)
        await dropImports(ctx)
      },
    },
  ],
} satisfies Work
