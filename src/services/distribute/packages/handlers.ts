import { and, desc, eq, ilike, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { allowedActions } from '../../../kernel/life-cycle.ts'
import type { Static } from '../../../kernel/shape.ts'
import type { Context } from '../../../server/context.ts'
import { implement } from '../../../server/implement.ts'
import { jobWhenOver } from '../../../server/job-row.ts'
import { transition } from '../../../server/life-cycle.ts'
import { holdObjects, objectOf, releaseObjects, type StoredObject } from '../../ground/files/public.ts'
import { appOf, lockApp } from '../apps/public.ts'
import { packages as contract, type PackageSummary } from './contract.ts'
import { processingKind } from './processing.ts'
import { differenceOf } from './public.ts'
import { loadPackage, mine, type PackageRecord, relationsOf } from './queries.ts'
import { blocking, kindOf, limits, packageCycle, relationFindings, relationRows, successStatusOf } from './rules.ts'
import { packages } from './tables.ts'

export default implement(contract, {
  createPackage: async (ctx, { body }) => {
    const app = await lockApp(ctx, body.appId)
    const object = await objectOf(ctx, body.objectId)
    const kind = checkedKind(object, app.packageType)
    await holdObjects(ctx, [object.objectId])
    const pkgId = ctx.newId()
    const now = ctx.now()
    const [row] = await ctx.db
      .insert(packages)
      .values({
        pkgId,
        teamId: ctx.teamId,
        appId: app.appId,
        kind,
        usage: body.usage ?? 'TEST_AND_FORMAL',
        remark: body.remark ?? '',
        objectId: object.objectId,
        fileName: object.fileName,
        sizeBytes: object.sizeBytes,
        sha256: object.sha256,
        state: 'UPLOADED',
        taskId: startProcessing(ctx, pkgId),
        uploadedBy: ctx.accountId,
        createdAt: now,
        updatedAt: now,
      })
      .returning()
    const { fileName, sizeBytes, sha256 } = object
    ctx.audit({ action: 'package.create', entity: 'package', entityId: pkgId, after: { fileName, sizeBytes, sha256 } })
    ctx.emit({ type: 'package.uploaded', entity: 'package', entityId: pkgId, data: { appId: app.appId, fileName } })
    return toPackage(ctx, row!)
  },

  getPackage: async (ctx, { query }) => toPackage(ctx, await loadPackage(ctx, query.pkgId)),

  listPackages: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    const matching = and(eq(packages.appId, query.appId), mine(ctx), ...filtersOf(query))
    const pageSize = query.pageSize ?? 20
    const before = /^[0-9]{1,19}$/.test(query.cursor ?? '') ? lt(packages.pkgId, query.cursor as string) : undefined
    const total = await ctx.db.$count(packages, matching)
    const rows = await ctx.db
      .select()
      .from(packages)
      .where(and(matching, before))
      .orderBy(desc(packages.pkgId))
      .limit(pageSize + 1)
    const page = rows.slice(0, pageSize)
    return {
      total,
      list: page.map(row => toPackage(ctx, row)),
      nextCursor: rows.length > pageSize ? (page.at(-1)?.pkgId ?? null) : null,
    }
  },

  updatePackage: async (ctx, { body }) => {
    const known = await loadPackage(ctx, body.pkgId)
    const app = await lockApp(ctx, known.appId)
    const before = await loadPackage(ctx, body.pkgId, 'update')
    const usage = body.usage ?? before.usage
    if (before.revision !== body.revision) refuse(commonErrors.stale, { revision: before.revision })
    if (before.state === 'READY' && usage !== before.usage) {
      const own = before.findings.filter(one => !(one.code in relationRows))
      const reasons = blocking([...own, ...relationFindings(await relationsOf(ctx, app, before))], usage)
      if (reasons.length > 0) {
        const sentences = reasons.map(one => one.detail).join(' ')
        refuse(contract.errors.usageBlocked, { reasons: sentences, findings: reasons })
      }
    }
    const remark = body.remark ?? before.remark
    const [row] = await ctx.db
      .update(packages)
      .set({ usage, remark, updatedAt: ctx.now(), revision: sql`${packages.revision} + 1` })
      .where(and(eq(packages.pkgId, body.pkgId), mine(ctx)))
      .returning()
    ctx.audit({
      action: 'package.update',
      entity: 'package',
      entityId: body.pkgId,
      before: { usage: before.usage, remark: before.remark },
      after: { usage, remark },
    })
    return toPackage(ctx, row!)
  },

  deletePackage: async (ctx, { query }) => {
    const row = await loadPackage(ctx, query.pkgId, 'update')
    await transition(ctx, {
      cycle: packageCycle,
      table: 'packages',
      idColumn: 'pkg_id',
      row: { id: row.pkgId, state: row.state, revision: row.revision },
      action: 'delete',
      facts: { isFree: row.holdCount === 0 },
      unmet: () => refuse(contract.errors.inUse, { holdCount: row.holdCount }),
      data: { appId: row.appId },
    })
    await ctx.db.delete(packages).where(and(eq(packages.pkgId, row.pkgId), mine(ctx)))
    await releaseObjects(ctx, row.iconObjectId === null ? [row.objectId] : [row.objectId, row.iconObjectId])
    return {}
  },

  getPackageTask: async (ctx, { query }) => {
    const job = await jobWhenOver(ctx, processingKind, query.taskId, query.wait ?? 0)
    const [row] = await ctx.transact(inner =>
      inner.db
        .select({ state: packages.state })
        .from(packages)
        .where(and(eq(packages.pkgId, job.subject), mine(inner))),
    )
    const error = job.state === 'failed' ? 'Processing stopped before it was done; process the package again.' : null
    return { ...job, taskId: job.jobId, pkgId: job.subject, error, processState: row?.state ?? null }
  },

  processPackageAgain: async (ctx, { body }) => {
    const row = await loadPackage(ctx, body.pkgId, 'update')
    const { pkgId, state, revision } = row
    await transition(ctx, {
      cycle: packageCycle,
      table: 'packages',
      idColumn: 'pkg_id',
      row: { id: pkgId, state, revision },
      action: 'processAgain',
      data: { appId: row.appId },
    })
    const [again] = await ctx.db
      .update(packages)
      .set({ taskId: startProcessing(ctx, pkgId), findings: [] })
      .where(and(eq(packages.pkgId, pkgId), mine(ctx)))
      .returning()
    return toPackage(ctx, again!)
  },

  getPackageStates: async (ctx, { query }) => {
    const pkgIds = [...new Set(query.pkgIds.split(','))]
    const rows = await ctx.db
      .select({ pkgId: packages.pkgId, state: packages.state, findings: packages.findings })
      .from(packages)
      .where(and(inArray(packages.pkgId, pkgIds), mine(ctx)))
    const byId = new Map(rows.map(row => [row.pkgId, row]))
    return {
      pkgStateList: pkgIds.map(pkgId => {
        const { state, findings } = byId.get(pkgId) ?? refuse(commonErrors.notFound, { entity: 'package', id: pkgId })
        return { pkgId, successStatus: successStatusOf(state), processState: state, findings }
      }),
    }
  },

  comparePackages: (ctx, { query }) => differenceOf(ctx, query.pkgId, query.otherPkgId),
})

function checkedKind(object: StoredObject, packageType: string): 'APK' {
  const { fileName, sizeBytes } = object
  const found = kindOf(fileName, packageType)
  if ('expected' in found) refuse(contract.errors.kindMismatch, { fileName, packageType, expected: found.expected })
  if (found.kind !== 'APK') refuse(contract.errors.kindUnsupported, { kind: found.kind, fileName })
  if (sizeBytes > limits.sizeBytes) refuse(contract.errors.tooLarge, { sizeBytes, limitBytes: limits.sizeBytes })
  return found.kind
}

function startProcessing(ctx: Context, pkgId: string): string {
  return ctx.startJob({ kind: processingKind, subject: pkgId, input: { pkgId }, deadlineMs: limits.processingMs })
}

function filtersOf(query: { search?: string; state?: PackageRecord['state']; usage?: PackageRecord['usage'] }) {
  const like = `%${(query.search ?? '').replace(/[\\%_]/g, found => `\\${found}`)}%`
  const filters: (SQL | undefined)[] = [
    query.state && eq(packages.state, query.state),
    query.usage && eq(packages.usage, query.usage),
    query.search
      ? or(
          ilike(packages.fileName, like),
          ilike(packages.versionName, like),
          ilike(packages.packageName, like),
          ilike(packages.remark, like),
          sql`${packages.versionCode}::text = ${query.search}`,
        )
      : undefined,
  ]
  return filters
}

function toPackage(ctx: Context, row: PackageRecord) {
  const isHeld = row.holdCount > 0
  const actions = allowedActions(packageCycle, row.state, permission => ctx.may(permission), { isFree: !isHeld })
  return {
    ...row,
    isHeld,
    successStatus: successStatusOf(row.state),
    allowedActions: actions as Static<typeof PackageSummary>['allowedActions'],
  }
}
