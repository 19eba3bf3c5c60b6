import type { Static } from '../../../kernel/shape.ts'
import type { Context } from '../../../server/context.ts'
import { downloadUrlOf } from '../../ground/files/public.ts'
import type { AppRow } from '../apps/public.ts'
import { newestPackageOf } from '../packages/newest/public.ts'
import type { PackageRow } from '../packages/public.ts'
import type { Recordal } from './contract.ts'
import { isNetworked, masked } from './rules.ts'
import type { recordals } from './tables.ts'

export type RecordalRecord = typeof recordals.$inferSelect
const purpose = 'recordal.idNumber'

/** What a package says that a filing names, by the certificate that signs it. */
export function actualOf(app: AppRow, pkg: PackageRow) {
  const { certificates, signers } = pkg
  const certificate = certificates.find(one => signers.includes(one.certSha256)) ?? certificates[0]
  return {
    pkgId: pkg.pkgId,
    packageName: pkg.packageName,
    certMd5: certificate?.certMd5 ?? null,
    publicKeyModulus: certificate?.modulusHex ?? null,
    isNetworked: isNetworked(app.packageType, pkg.permissions),
  }
}

export function sealId(ctx: Context, appId: string, idNumber: string): string {
  return ctx.server.masterKey.seal(purpose, appId, idNumber)
}

/** A filing as it is shown: the identity number never whole. */
export async function toRecordal(
  ctx: Context,
  app: AppRow,
  row: RecordalRecord | undefined,
): Promise<Static<typeof Recordal>> {
  const pkg = await newestPackageOf(ctx, app.appId)
  const sealed = row?.idNumberSealed ?? null
  return {
    appId: app.appId,
    appName: app.name,
    state: row?.state ?? 'NONE',
    registeredDclType: row?.dclType ?? -1,
    recordalNumber: row?.number ?? null,
    registeredIdType: row?.idType ?? -1,
    registeredIdNumber: sealed === null ? null : masked(ctx.server.masterKey.open(purpose, app.appId, sealed)),
    registeredEntity: row?.entity ?? null,
    registeredEntityName: row?.entityName ?? '',
    features: row?.features ?? null,
    actual: pkg ? actualOf(app, pkg) : null,
    evidence: (row?.evidence ?? []).map(file => ({
      ...file,
      url: downloadUrlOf(ctx, file.objectId, { fileName: file.fileName }),
    })),
    differences: row?.differences ?? [],
    source: row?.source ?? null,
    note: row?.note ?? null,
    checkedAt: row?.checkedAt ?? null,
    updatedAt: row?.updatedAt ?? null,
    revision: row?.revision ?? null,
    canFile: ctx.may('recordal.edit'),
  }
}
