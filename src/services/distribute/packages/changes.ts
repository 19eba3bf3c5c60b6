import { and, eq, type InferInsertModel } from 'drizzle-orm'
import { Refusal, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { isDuplicate } from '../../../server/http/problem.ts'
import { transition } from '../../../server/life-cycle.ts'
import { holdObjects, objectOf, releaseObjects, type StoredObject } from '../../ground/files/public.ts'
import { packages as contract } from './contract.ts'
import { processingKind } from './processing.ts'
import { appWithin, loadPackage, madeBefore, mine, type PackageRecord, type Scope } from './queries.ts'
import { kindOf, limits, type PackageKind, packageCycle } from './rules.ts'
import { packages } from './tables.ts'

export interface NewPackage {
  appId: string
  objectId: string
  usage?: PackageRecord['usage']
  remark?: string
  /** What it must be one of. */
  kinds?: readonly PackageKind[]
}

/** Makes a package of an uploaded file, which it refers to from now on, and starts to process it. */
export async function addPackage(ctx: Context, wanted: NewPackage, scope: Scope): Promise<PackageRecord> {
  const app = await appWithin(ctx, wanted.appId, scope, true)
  const object = await objectOf(ctx, wanted.objectId)
  const kind = checkedKind(object, app.packageType)
  if (wanted.kinds && !wanted.kinds.includes(kind)) {
    refuse(contract.errors.otherKind, { fileName: object.fileName, kind, expected: wanted.kinds })
  }
  await holdObjects(ctx, [object.objectId], app)
  const pkgId = ctx.newId()
  const now = ctx.now()
  const { fileName, sizeBytes, sha256 } = object
  const values: InferInsertModel<typeof packages> = {
    pkgId,
    teamId: ctx.teamId,
    appId: app.appId,
    kind,
    packageType: app.packageType,
    usage: wanted.usage ?? 'TEST_AND_FORMAL',
    remark: wanted.remark ?? '',
    objectId: object.objectId,
    fileName,
    sizeBytes,
    sha256,
    state: 'UPLOADED',
    taskId: startProcessing(ctx, pkgId),
    uploadedBy: ctx.accountId,
    createdAt: now,
    updatedAt: now,
  }
  const [row] = await ctx.db.insert(packages).values(values).returning()
  ctx.audit({ action: 'package.create', entity: 'package', entityId: pkgId, after: { fileName, sizeBytes, sha256 } })
  ctx.emit({ type: 'package.uploaded', entity: 'package', entityId: pkgId, data: { appId: app.appId, fileName } })
  return row!
}

function checkedKind(object: StoredObject, packageType: string): PackageKind {
  const { fileName, sizeBytes } = object
  const found = kindOf(fileName, packageType)
  if ('expected' in found) refuse(contract.errors.kindMismatch, { fileName, packageType, expected: found.expected })
  if (sizeBytes > limits.sizeBytes) refuse(contract.errors.tooLarge, { sizeBytes, limitBytes: limits.sizeBytes })
  return found.kind
}

export function startProcessing(ctx: Context, pkgId: string): string {
  return ctx.startJob({ kind: processingKind, subject: pkgId, input: { pkgId }, deadlineMs: limits.processingMs })
}

/** Moves a package by a person's action, with the refusals that are said in words. */
export async function act(ctx: Context, row: PackageRecord, action: 'archive' | 'restore' | 'delete'): Promise<void> {
  try {
    await transition(ctx, {
      cycle: packageCycle,
      table: 'packages',
      idColumn: 'pkg_id',
      row: { id: row.pkgId, state: row.state, revision: row.revision },
      action,
      facts: { isFree: row.holdCount === 0, needsSigning: false },
      unmet: () => refuse(contract.errors.inUse, { holdCount: row.holdCount }),
      data: { appId: row.appId },
    })
  } catch (error) {
    if (!isDuplicate(error, 'packages_version_code')) throw error
    refuse(contract.errors.codeTaken, { versionCode: row.versionCode })
  }
}

/** Deletes a package that no version refers to, and lets go of its files. */
export async function removePackage(ctx: Context, pkgId: string, scope: Scope): Promise<void> {
  const row = await loadPackage(ctx, pkgId, { lock: 'update', scope })
  await act(ctx, row, 'delete')
  await ctx.db.delete(packages).where(and(eq(packages.pkgId, row.pkgId), mine(ctx)))
  await releaseObjects(ctx, [row.objectId, ...madeBefore(row)])
}

/** Archives a package, or takes it back; one that is so already stays as it is. */
export async function changeState(ctx: Context, pkgId: string, to: 'ARCHIVED' | 'READY', scope: Scope): Promise<void> {
  const row = await loadPackage(ctx, pkgId, { lock: 'update', scope })
  if (row.state !== to) await act(ctx, row, to === 'ARCHIVED' ? 'archive' : 'restore')
}

/** Does the same to each of many, each in a transaction of its own, and tells what became of each. */
export async function eachByItself(
  ctx: Context,
  pkgIds: readonly string[],
  work: (inner: Context, pkgId: string) => Promise<void>,
) {
  const results = []
  for (const pkgId of pkgIds) {
    try {
      await ctx.transact(inner => work(inner, pkgId))
      results.push({ pkgId, isDone: true, code: 0, message: null })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      results.push({ pkgId, isDone: false, code: error.number, message: error.message })
    }
  }
  return { results }
}
