import { eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import { partsFor } from '../../../../kernel/split-set.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { downloadUrlOf, localObject, objectOf } from '../../../ground/files/public.ts'
import { type AppRow, appOf, lockApp } from '../../apps/public.ts'
import { expectedOf, missingForSigning, storeSignerOf } from '../../signing/public.ts'
import { channelOf } from '../apk/channel.ts'
import { startProcessing } from '../changes.ts'
import { loadPackage, type PackageRecord } from '../queries.ts'
import { readPackage } from '../readers/read-package.ts'
import { kindOf, limits, packageCycle } from '../rules.ts'
import { packages } from '../tables.ts'
import { madePackages, signChecks } from './contract.ts'
import { matchFor } from './matching.ts'
import { choiceFor, signingStatusOf } from './rules.ts'

const urlSeconds = 3600

export default implement(madePackages, {
  getApks: async (ctx, { query }) => {
    const { row } = await packageOfApp(ctx, query)
    const { density, sdkVersion = null } = query
    const device = { abis: namesIn(query.abis), sdkVersion }
    const { abi: chosen, reason } = choiceFor(row, device)
    const whole = { abi: null, ...uploadOf(row), ...row.installable }
    const hasWhole = row.installable !== null || (row.kind === 'APK' && row.state === 'READY')
    const apks = [...(hasWhole ? [whole] : []), ...row.splits].map(apk => ({
      ...apk,
      kind: apk.abi === null ? ('UNIVERSAL' as const) : ('ABI' as const),
      minSdk: row.minSdk,
      isChosen: reason === null && apk.abi === chosen,
      downloadUrl: downloadUrlOf(ctx, apk.objectId, { ttlSeconds: urlSeconds, fileName: apk.fileName }),
    }))
    const fitting =
      density === undefined || reason !== null
        ? null
        : partsFor(row.splitSet, { ...device, density, languages: namesIn(query.languages) })
    const parts = row.splitSet.map(part => ({
      ...part,
      isChosen: fitting?.includes(part) ?? false,
      downloadUrl: downloadUrlOf(ctx, part.objectId, { ttlSeconds: urlSeconds, fileName: part.fileName }),
    }))
    const { appId, pkgId, versionCode, signers, lineage } = row
    return { appId, pkgId, versionCode, signers, lineage, apks, parts, reason }
  },

  getResignInfo: async (ctx, { query }) => resignInfo(ctx, query),

  resign: async (ctx, { body }) => {
    const lacking = await missingForSigning()
    await ctx.transact(async inner => {
      const { appId } = await lockApp(inner, body.appId)
      const { row } = await packageOfApp(inner, { appId, pkgId: body.pkgId }, 'update')
      if (lacking) refuse(commonErrors.missingEngine, { engine: lacking.missing, install: lacking.install })
      const { pkgId, state, revision } = row
      if (body.revision !== undefined && body.revision !== revision) refuse(commonErrors.stale, { revision })
      const { errors } = madePackages
      await transition(inner, {
        cycle: packageCycle,
        table: 'packages',
        idColumn: 'pkg_id',
        row: { id: pkgId, state, revision },
        action: 'signAgain',
        facts: await signingFacts(inner, row),
        unmet: fact =>
          fact === 'isFree' ? refuse(errors.inUse, { holdCount: row.holdCount }) : refuse(errors.nothingToSign),
        data: { appId },
      })
      await inner.db
        .update(packages)
        .set({ taskId: startProcessing(inner, pkgId), findings: [] })
        .where(eq(packages.pkgId, pkgId))
    })
    return resignInfo(ctx, body)
  },
})

interface Named {
  appId: string
  pkgId: string
}

/** The package, if it is of that app. Refuses 404. */
async function packageOfApp(ctx: Context, named: Named, lock?: 'update'): Promise<{ app: AppRow; row: PackageRecord }> {
  const app = await appOf(ctx, named.appId)
  const row = await loadPackage(ctx, named.pkgId, lock ? { lock } : {})
  if (row.appId !== app.appId) refuse(commonErrors.notFound, { entity: 'package', id: named.pkgId })
  return { app, row }
}

const namesIn = (list = '') => list.split(',').filter(name => name !== '')

const uploadOf = ({ objectId, fileName, sizeBytes, sha256 }: PackageRecord) => ({
  objectId,
  fileName,
  sizeBytes,
  sha256,
})

async function statusOf(ctx: Context, row: PackageRecord) {
  const signer = await storeSignerOf(ctx, row)
  return signingStatusOf({ ...row, isMade: row.installable !== null }, signer?.certSha256 ?? null)
}

async function signingFacts(ctx: Context, row: PackageRecord) {
  return { isFree: row.holdCount === 0, needsSigning: (await statusOf(ctx, row)) === 'NEEDED' }
}

async function resignInfo(ctx: Context, named: Named) {
  const { row, status, facts } = await ctx.transact(async inner => {
    const found = await packageOfApp(inner, named)
    return { ...found, status: await statusOf(inner, found.row), facts: await signingFacts(inner, found.row) }
  })
  const { appId, pkgId, taskId, findings, installable, revision, signers, lineage, uploadSigners } = row
  const actions = allowedActions(packageCycle, row.state, permission => ctx.may(permission), facts)
  return {
    appId,
    pkgId,
    status,
    taskId,
    upload: { ...uploadOf(row), signers: uploadSigners.length > 0 ? uploadSigners : signers },
    resigned: installable && {
      ...installable,
      signers,
      lineage,
      hasChannel: await hasChannel(ctx, installable.objectId),
    },
    findings,
    isHeld: row.holdCount > 0,
    revision,
    allowedActions: actions.filter(action => action === 'signAgain'),
  }
}

async function hasChannel(ctx: Context, objectId: string): Promise<boolean> {
  const file = await ctx.transact(inner => localObject(inner, objectId))
  return channelOf(file.path)
    .then(channel => channel !== null)
    .finally(() => file.release())
}

export const checks = implement(signChecks, {
  checkSignature: async (ctx, { body }) => {
    const { pkgId, objectId } = body
    const known = await ctx.transact(async inner => {
      const app = await appOf(inner, body.appId)
      const row = pkgId === undefined ? null : (await packageOfApp(inner, { appId: app.appId, pkgId })).row
      const object = objectId === undefined ? null : await objectOf(inner, objectId)
      return { app, row, object, expected: await expectedOf(inner, app) }
    })
    const { app, row, object, expected } = known
    if ((row === null) === (object === null)) refuse(signChecks.errors.oneOfTwo)
    const found = row ?? (await readObject(ctx, app, object!.objectId, object!.fileName))
    return { appId: app.appId, ...matchFor(found, expected), expected }
  },
})

/** What the bytes of a file that is no package yet say of who signed it. */
async function readObject(ctx: Context, app: AppRow, objectId: string, fileName: string) {
  const found = kindOf(fileName, app.packageType)
  const kind = 'kind' in found ? found.kind : null
  if (kind !== 'APK' && kind !== 'AAB') return refuse(signChecks.errors.notReadable, { fileName })
  const file = await ctx.transact(inner => localObject(inner, objectId))
  try {
    return (await readPackage(kind, file.path, { fileName, targetSdkFloor: limits.targetSdkFloor })).facts
  } finally {
    await file.release()
  }
}
