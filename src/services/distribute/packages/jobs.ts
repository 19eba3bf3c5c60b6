import { and, eq, lt } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { transition } from '../../../server/life-cycle.ts'
import type { Work } from '../../../server/work.ts'
import { claimNotices } from './claims/notices.ts'
import { dropProof, endNotices, proveClaim, provingKind } from './claims/proving.ts'
import { packagesHandover } from './handover.ts'
import { packageNotices } from './notices.ts'
import { giveUpPackage, processingKind, processPackage } from './processing.ts'
import { forgetOldReports } from './reading.ts'
import { limits, packageCycle } from './rules.ts'
import { packages } from './tables.ts'

export default {
  handover: packagesHandover,
  jobs: [
    { kind: processingKind, run: processPackage, giveUp: giveUpPackage },
    { kind: provingKind, run: proveClaim },
  ],
  listeners: [
    packageNotices,
    claimNotices,
    { name: 'packages.dropProof', on: ['claim.granted', 'claim.refused', 'claim.canceled'], run: dropProof },
  ],
  sweeps: [
    { name: 'packages.archive', every: '0 23 * * * *', database: 'zone', run: archiveUnused },
    { name: 'packages.forgetReports', every: '0 41 4 * * *', database: 'zone', run: forgetOldReports },
    { name: 'packages.claimNotices', every: '0 */5 * * * *', database: 'home', run: endNotices },
  ],
} satisfies Work

/** Packages that nobody referred to for half a year step back; they can be taken out again. */
async function archiveUnused(ctx: Context): Promise<void> {
  const before = ctx.now() - limits.archiveAfterMs
  const due = await ctx.db
    .select({
      pkgId: packages.pkgId,
      appId: packages.appId,
      teamId: packages.teamId,
      state: packages.state,
      revision: packages.revision,
    })
    .from(packages)
    .where(
      and(
        eq(packages.state, 'READY'),
        eq(packages.holdCount, 0),
        lt(packages.updatedAt, before),
        lt(packages.freeSince, before),
      ),
    )
    .limit(200)
  for (const { pkgId, appId, teamId, state, revision } of due) {
    await transition(ctx, {
      cycle: packageCycle,
      table: 'packages',
      idColumn: 'pkg_id',
      row: { id: pkgId, state, revision },
      action: 'archive',
      facts: { isFree: true, needsSigning: false },
      data: { appId },
      teamId,
    })
  }
}
