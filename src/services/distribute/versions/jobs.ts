import { and, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Work } from '../../../server/work.ts'
import { appsOf } from '../apps/public.ts'
import { packagesOf } from '../packages/public.ts'
import { giveUpBulk, runBulk } from './bulk/run.ts'
import { mailCode } from './declarations/contact.ts'
import { makeDemoVersions } from './demo.ts'
import { removeVersion } from './drafts.ts'
import { keepHealth, watchGates } from './gates/watch.ts'
import { versionsHandover } from './handover.ts'
import { editableStates } from './life/rules.ts'
import { filmJob } from './listing/film.ts'
import { tellFace } from './moves.ts'
import { versionNotices } from './notices.ts'
import { phasedNotices } from './phased/notices.ts'
import { advancePhased } from './phased/sweep.ts'
import { giveUpPrecheck, runPrecheck } from './precheck.ts'
import { openVersionOf } from './queries.ts'
import { takeOffLapsed } from './readiness/lapsed.ts'
import { releaseDue } from './release.ts'
import { endForward } from './rollback/forward.ts'
import { copyShelfNames } from './shelf-names.ts'
import { resumeAllQueued, resumeQueuedOf } from './submit.ts'
import { aiDeclarations, contacts, rollForwards, versionCodes, versions } from './tables.ts'
import tests from './testing/jobs.ts'

interface ReviewClock {
  versionId: string
  slaDueAt: number | null
  pausedAt: number | null
}

export default {
  start: tests.start,
  handover: versionsHandover,
  jobs: [
    { kind: 'versions.precheck', run: runPrecheck, giveUp: giveUpPrecheck },
    filmJob,
    { kind: 'versions.bulk', run: runBulk, giveUp: giveUpBulk },
    { kind: 'versions.contactCode', run: mailCode },
    ...tests.jobs,
  ],
  listeners: [
    versionNotices,
    phasedNotices,
    { name: 'versions.health', on: ['store.health'], run: keepHealth },
    { name: 'versions.qualification', on: ['qualification.lapsed'], run: takeOffLapsed },
    ...tests.listeners,
    { name: 'versions.demo', on: ['app.demo_due'], run: makeDemoVersions },
    {
      name: 'versions.packages',
      on: ['package.ready', 'package.failed'],
      run: async (ctx, event) => {
        await notePackage(ctx, event.entityId)
        await resumeQueuedOf(ctx, event.entityId)
        await endForward(ctx, event.entityId)
      },
    },
    {
      name: 'versions.names',
      on: ['version.on_shelf', 'version.off_shelf', 'material.applied'],
      run: (ctx, event) => copyShelfNames(ctx, String(event.data['appId'])),
    },
    {
      // Another default language: until something is on shelf the app is called as its draft is in that language.
      name: 'versions.face',
      on: ['app.updated'],
      run: async (ctx, event) => {
        const [app] = await appsOf(ctx, [event.entityId])
        const draft = app?.lastShelf === null ? await openVersionOf(ctx, app.appId) : undefined
        if (app && draft) await tellFace(ctx, app, draft)
      },
    },
    {
      // Review keeps the clock; a version shows it, and may be urged only when it has run out.
      name: 'versions.reviewClock',
      on: ['review.clock'],
      run: async (ctx, event) => {
        const { versionId, slaDueAt, pausedAt } = event.data as unknown as ReviewClock
        await ctx.db
          .update(versions)
          .set({ reviewDueAt: slaDueAt, reviewPausedAt: pausedAt })
          .where(eq(versions.versionId, versionId))
      },
    },
    {
      name: 'versions.purge',
      on: ['app.purged'],
      run: async (ctx, event) => {
        const gone = await ctx.db.select().from(versions).where(eq(versions.appId, event.entityId))
        for (const version of gone) await removeVersion(ctx, version)
        await ctx.db.delete(aiDeclarations).where(eq(aiDeclarations.appId, event.entityId))
        await ctx.db.delete(contacts).where(eq(contacts.appId, event.entityId))
        await ctx.db.delete(rollForwards).where(eq(rollForwards.appId, event.entityId))
      },
    },
  ],
  sweeps: [
    ...tests.sweeps,
    { name: 'versions.release', every: '*/20 * * * * *', database: 'zone', run: releaseDue },
    { name: 'versions.queued', every: '10,30,50 * * * * *', database: 'zone', run: resumeAllQueued },
    { name: 'versions.phased', every: '15,45 * * * * *', database: 'zone', run: advancePhased },
    { name: 'versions.gates', every: '12,27,42,57 * * * * *', database: 'zone', run: watchGates },
  ],
} satisfies Work

/** Keeps the code of an accepted package, and shows it on the version that is being prepared with it. */
async function notePackage(ctx: Context, pkgId: string): Promise<void> {
  const [pkg] = await packagesOf(ctx, [pkgId])
  if (pkg?.state !== 'READY' || pkg.versionCode === null) return
  const { appId, teamId, versionCode } = pkg
  const versionName = pkg.versionName ?? ''
  await ctx.db
    .insert(versionCodes)
    .values({ pkgId, teamId, appId, versionCode, versionName, at: ctx.now() })
    .onConflictDoNothing()
  await ctx.db
    .update(versions)
    .set({ versionCode, versionName })
    .where(and(eq(versions.pkgId, pkgId), inArray(versions.state, [...editableStates])))
}
