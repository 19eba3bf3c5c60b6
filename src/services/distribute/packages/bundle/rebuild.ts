import type { Context } from '../../../../server/context.ts'
import { holdObjects } from '../../../ground/files/public.ts'
import { appOf } from '../../apps/public.ts'
import { startProcessing } from '../changes.ts'
import { loadPackage } from '../queries.ts'
import { packages } from '../tables.ts'
import type { VersionWords } from './forward-manifest.ts'

/**
 * Begins to make a bundle again under another version: a package of its own whose upload is the same but for the manifest.
 * It is processed as any other, and signed by the store.
 */
export async function rebuildBundle(ctx: Context, pkgId: string, words: VersionWords) {
  const origin = await loadPackage(ctx, pkgId)
  const app = await appOf(ctx, origin.appId)
  await holdObjects(ctx, [origin.objectId], app)
  const rebuiltId = ctx.newId()
  const taskId = startProcessing(ctx, rebuiltId)
  const now = ctx.now()
  const { teamId, appId, kind, packageType, objectId, sizeBytes, sha256 } = origin
  const fileName = origin.fileName.replace(/(?:-rb\d+)?\.aab$/i, `-rb${words.versionCode}.aab`)
  await ctx.db.insert(packages).values({
    ...{ pkgId: rebuiltId, teamId, appId, kind, packageType, usage: 'TEST_AND_FORMAL', taskId, state: 'UPLOADED' },
    ...{ objectId, fileName, sizeBytes, sha256 },
    rebuiltFrom: { pkgId, ...words, isMade: false },
    uploadedBy: origin.uploadedBy,
    createdAt: now,
    updatedAt: now,
  })
  ctx.audit({ action: 'package.create', entity: 'package', entityId: rebuiltId, after: { fileName, from: pkgId } })
  ctx.emit({ type: 'package.uploaded', entity: 'package', entityId: rebuiltId, data: { appId, fileName } })
  return { pkgId: rebuiltId, taskId }
}
