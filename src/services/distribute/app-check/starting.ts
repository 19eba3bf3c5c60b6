import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { holdObjects } from '../../ground/files/public.ts'
import { lockApp } from '../apps/public.ts'
import { packageOf } from '../packages/public.ts'
import { appChecks as contract } from './contract.ts'
import { type CheckRecord, runningOf } from './queries.ts'
import { type CheckKind, checkKinds, checkLimits } from './rules.ts'
import { checkedPackage } from './subject.ts'
import { checks } from './tables.ts'

export const checkingKind = 'appCheck.run'

interface Wish {
  appId: string
  pkgId: string
  kinds?: readonly CheckKind[]
  detectionId?: string
}

/**
 * Begins to check a package: its file is held until the check ends, so that deleting the package does not stop it. The app
 * is locked: of two who begin at once one is told of the other's, or with `joins` gets it. Refuses 404, 409 and 422.
 */
export async function startCheck(
  ctx: Context,
  wish: Wish,
  joins = false,
): Promise<{ row: CheckRecord; isJoined: boolean }> {
  const app = await lockApp(ctx, wish.appId)
  const pkg = await packageOf(ctx, wish.pkgId)
  if (pkg.appId !== app.appId) refuse(contract.errors.otherApp, { appId: pkg.appId })
  const running = await runningOf(ctx, app.appId)
  if (running && joins) return { row: running, isJoined: true }
  if (running) refuse(contract.errors.checkRunning, { checkId: running.checkId })
  if (pkg.state !== 'READY' && pkg.state !== 'FAILED') refuse(contract.errors.packageNotReady, { state: pkg.state })
  await holdObjects(ctx, [pkg.objectId], app)
  const checkId = ctx.newId()
  const { teamId, appId } = app
  const jobId = ctx.startJob({
    kind: checkingKind,
    subject: checkId,
    input: { checkId },
    deadlineMs: checkLimits.deadlineMs,
    teamId,
  })
  const now = ctx.now()
  const [row] = await ctx.db
    .insert(checks)
    .values({
      ...{ checkId, teamId, appId, jobId },
      pkgId: pkg.pkgId,
      subject: checkedPackage(pkg),
      objectId: pkg.objectId,
      kinds: [...(wish.kinds ?? checkKinds)],
      state: 'WAITING',
      items: [],
      detectionId: wish.detectionId ?? null,
      createdBy: ctx.accountId,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  ctx.audit({ action: 'appCheck.create', entity: 'appCheck', entityId: checkId, after: { appId, pkgId: pkg.pkgId } })
  return { row: row!, isJoined: false }
}
