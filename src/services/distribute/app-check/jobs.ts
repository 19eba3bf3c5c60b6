import { eq } from 'drizzle-orm'
import type { Work } from '../../../server/work.ts'
import { checkNotices } from './notices.ts'
import { giveUpCheck, runCheck } from './running.ts'
import { checkingKind } from './starting.ts'
import { checks } from './tables.ts'

export default {
  handover: {
    rows: [{ table: 'app_checks', files: ['object_id'] }],
    stays: { app_detections: 'who asked sees the answer' },
  },
  jobs: [{ kind: checkingKind, run: runCheck, giveUp: giveUpCheck }],
  listeners: [
    checkNotices,
    {
      name: 'appCheck.apps',
      on: ['app.deleted'],
      run: async (ctx, event) => {
        await ctx.db.delete(checks).where(eq(checks.appId, event.entityId))
      },
    },
  ],
} satisfies Work
