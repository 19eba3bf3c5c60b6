import { eq } from 'drizzle-orm'
import type { Work } from '../../../../server/work.ts'
import { connectTests } from '../../beta-test/public.ts'
import { tellNewcomers, testDoors } from './doors.ts'
import { removeTest } from './drafts.ts'
import { mailTesters } from './mail.ts'
import { testNotices } from './notices.ts'
import { concludeTests } from './promote.ts'
import { sweepTests } from './release.ts'
import { testVersions } from './tables.ts'

export default {
  start: server => {
    connectTests(server, testDoors)
    return async () => {}
  },
  jobs: [{ kind: 'versions.testMails', run: mailTesters }],
  listeners: [
    testNotices,
    tellNewcomers,
    {
      name: 'versions.testsDone',
      on: ['version.on_shelf'],
      run: (ctx, event) => concludeTests(ctx, event.entityId),
    },
    {
      name: 'versions.testsPurge',
      on: ['app.purged'],
      run: async (ctx, event) => {
        const gone = await ctx.db.select().from(testVersions).where(eq(testVersions.appId, event.entityId))
        for (const test of gone) await removeTest(ctx, test)
      },
    },
  ],
  sweeps: [{ name: 'versions.tests', every: '*/20 * * * * *', database: 'zone', run: sweepTests }],
} satisfies Work
