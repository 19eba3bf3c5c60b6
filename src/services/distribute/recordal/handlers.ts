import { eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Static } from '../../../kernel/shape.ts'
import type { Context } from '../../../server/context.ts'
import { implement } from '../../../server/implement.ts'
import { holdObjects, objectsOf, releaseObjects } from '../../ground/files/public.ts'
import { type AppRow, appOf, lockApp } from '../apps/public.ts'
import { newestPackageOf } from '../packages/newest/public.ts'
import { actualOf, type RecordalRecord, sealId, toRecordal } from './answer.ts'
import { recordal as contract } from './contract.ts'
import { type Difference, dclTypes, differencesOf, idTypes, isIdNumber, isRecordalNumber, tidyNumber } from './rules.ts'
import { recordals } from './tables.ts'

const { errors } = contract
type Filing = Static<typeof contract.calls.checkRecordal.body>

export default implement(contract, {
  checkRecordal: async (ctx, { body }) => {
    const app = await lockApp(ctx, body.appId)
    const before = await rowOf(ctx, app.appId, 'update')
    if (body.revision !== undefined && before && body.revision !== before.revision) {
      refuse(commonErrors.stale, { revision: before.revision })
    }
    const row = await file(ctx, app, body, before)
    return toRecordal(ctx, app, row)
  },

  queryCheckRecordal: async (ctx, { body }) => {
    const app = await appOf(ctx, body.appId)
    return toRecordal(ctx, app, await rowOf(ctx, app.appId))
  },
})

async function rowOf(ctx: Context, appId: string, lock?: 'update'): Promise<RecordalRecord | undefined> {
  const query = ctx.db.select().from(recordals).where(eq(recordals.appId, appId))
  const [row] = await (lock ? query.for(lock) : query)
  return row
}

/** What the package says decides what it can: a difference is told at once, an app without a network needs nobody. */
async function file(
  ctx: Context,
  app: AppRow,
  body: Filing,
  before: RecordalRecord | undefined,
): Promise<RecordalRecord> {
  const pkg = await newestPackageOf(ctx, app.appId)
  if (!pkg) refuse(errors.noPackage)
  const actual = actualOf(app, pkg)
  const isOffline = body.registeredDclType === dclTypes.OFFLINE
  if (isOffline && actual.isNetworked) refuse(errors.networked, { permission: 'a network' })
  const said = isOffline ? offline : readFiling(ctx, app, body, before)
  const differences: Difference[] = said.features ? differencesOf(said.features, actual) : []
  const state = isOffline ? ('MATCH' as const) : differences.length > 0 ? ('MISMATCH' as const) : ('CHECKING' as const)
  const evidence = isOffline ? [] : await readEvidence(ctx, body.evidence, before)
  await holdObjects(
    ctx,
    evidence.map(one => one.objectId),
    app,
  )
  await releaseObjects(
    ctx,
    (before?.evidence ?? []).map(one => one.objectId),
  )
  const now = ctx.now()
  const values = {
    ...said,
    teamId: app.teamId,
    state,
    dclType: body.registeredDclType,
    evidence,
    differences,
    source: state === 'CHECKING' ? null : ('PACKAGE' as const),
    note: null,
    checkedAt: state === 'CHECKING' ? null : now,
    checkedBy: null,
    filedBy: ctx.accountId,
    updatedAt: now,
    revision: (before?.revision ?? 0) + 1,
  }
  const [row] = await ctx.db
    .insert(recordals)
    .values({ appId: app.appId, createdAt: now, ...values })
    .onConflictDoUpdate({ target: recordals.appId, set: values, setWhere: eq(recordals.teamId, app.teamId) })
    .returning()
  const { appId } = app
  const after = { state, number: said.number, dclType: body.registeredDclType }
  ctx.audit({
    action: 'recordal.file',
    entity: 'recordal',
    entityId: appId,
    before: { state: before?.state ?? 'NONE' },
    after,
  })
  const type = state === 'CHECKING' ? 'recordal.filed' : 'recordal.checked'
  ctx.emit({ type, entity: 'recordal', entityId: appId, data: { appId, from: before?.state ?? 'NONE', to: state } })
  return row!
}

const offline = {
  number: null,
  idType: null,
  idNumberSealed: null,
  entity: null,
  entityName: '',
  features: null,
} as const

/** The filing with each part as it must be. The identity number may be left out where it stays as it was. */
function readFiling(ctx: Context, app: AppRow, body: Filing, before: RecordalRecord | undefined) {
  const need = <T>(value: T | undefined, field: string): T =>
    value === undefined || value === '' ? refuse(errors.partMissing, { field }) : value
  const number = tidyNumber(need(body.recordalNumber, 'recordalNumber'))
  if (!isRecordalNumber(number)) refuse(errors.numberForm, { recordalNumber: number })
  const idType = need(body.registeredIdType, 'registeredIdType')
  const given = body.registeredIdNumber?.trim().toUpperCase()
  const isKept = !given && before?.idNumberSealed != null && before.idType === idType
  if (!isKept) {
    const idNumber = need(given, 'registeredIdNumber')
    if (!isIdNumber(idType, idNumber)) refuse(errors.idForm, { idType: wordOf[idType] ?? 'company' })
  }
  return {
    number,
    idType,
    idNumberSealed: isKept ? (before?.idNumberSealed ?? null) : sealId(ctx, app.appId, given ?? ''),
    entity: need(body.registeredEntity, 'registeredEntity'),
    entityName: need(body.registeredEntityName?.trim(), 'registeredEntityName'),
    features: need(body.features, 'features'),
  }
}

const wordOf: Readonly<Record<number, string>> = {
  [idTypes.COMPANY]: 'company',
  [idTypes.PERSON]: 'person',
  [idTypes.INSTITUTION]: 'institution',
}

/** The scans; those of before where none are named. */
async function readEvidence(
  ctx: Context,
  objectIds: readonly string[] | undefined,
  before: RecordalRecord | undefined,
) {
  if (objectIds === undefined) return before?.evidence ?? []
  const objects = await objectsOf(ctx, objectIds)
  return objectIds.map(objectId => {
    const object = objects.get(objectId) ?? refuse(commonErrors.notFound, { entity: 'object', id: objectId })
    const { fileName, sizeBytes, mime, bizTag } = object
    const isScan = bizTag === 'app_qual' && (mime.startsWith('image/') || mime === 'application/pdf')
    if (!isScan) refuse(errors.badEvidence, { fileName })
    return { objectId, fileName, fileSize: sizeBytes }
  })
}
