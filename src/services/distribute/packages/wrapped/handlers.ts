import { buffer } from 'node:stream/consumers'
import { eq, sql } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { readObject, releaseObjects, storeObject } from '../../../ground/files/public.ts'
import { toPackage } from '../answer.ts'
import { addPackage } from '../changes.ts'
import { appWithin, loadPackage, type Scope } from '../queries.ts'
import { limits } from '../rules.ts'
import { privacyImports } from '../tables.ts'
import { atomicWrapped, wrapped as contract } from './contract.ts'
import { type PageApp, pageRpk } from './page-rpk.ts'

const handlersOf = (scope: Scope): Handlers<typeof contract> => ({
  getPage: async (ctx, { query }) => {
    const row = await loadPackage(ctx, query.pkgId, { scope })
    const url = row.details.quickApp?.address ?? refuse(contract.errors.noPage, { fileName: row.fileName })
    const { pkgId, label: name, packageName, versionCode, versionName, iconObjectId } = row
    return { pkgId, url, name, packageName, versionCode, versionName, iconObjectId }
  },

  wrapPage: async (ctx, { body }) => {
    const { appId, url, name, packageName, versionCode, versionName } = body
    const heldFor = await ctx.transact(inner => appWithin(inner, appId, scope))
    const icon = body.iconObjectId === undefined ? null : await iconOf(ctx, body.iconObjectId)
    const { objectId } = await storeObject(ctx, {
      stream: pageRpk({ url: checkedUrl(url), name, packageName, versionCode, versionName, icon }),
      fileName: `${packageName}-${versionCode}.rpk`,
      bizTag: 'app_pkg',
      limitBytes: limits.sizeBytes,
      heldFor,
    })
    try {
      return await ctx.transact(async inner => toPackage(inner, await addPackage(inner, { appId, objectId }, scope)))
    } finally {
      // The package holds the object by itself; without one nobody does.
      await ctx.transact(inner => releaseObjects(inner, [objectId]))
    }
  },

  listSubpackages: async (ctx, { query }) => {
    const { kind, modules } = await loadPackage(ctx, query.pkgId, { scope })
    if (kind !== 'RPK') refuse(contract.errors.noSubpackages, { kind })
    const list = modules.map(one => ({
      name: one.name,
      sizeBytes: one.sizeBytes,
      isStandalone: one.delivery === 'standalone',
    }))
    return { total: list.length, list }
  },

  getPrivacyManifest: async (ctx, { query }) => {
    const { pkgId, appId, privacy } = await loadPackage(ctx, query.pkgId, { scope })
    const [row] = await ctx.db.select().from(privacyImports).where(eq(privacyImports.appId, appId))
    const isSame = row !== undefined && JSON.stringify(row.label) === JSON.stringify(privacy)
    return { pkgId, manifest: privacy, imported: row ? { ...row, isSame } : null }
  },

  importPrivacyManifest: async (ctx, { body }) => {
    const row = await loadPackage(ctx, body.pkgId, { scope })
    const { pkgId, appId, teamId, privacy, state, fileName } = row
    if (!privacy) refuse(contract.errors.noPrivacyManifest, { fileName })
    if (state !== 'READY') refuse(contract.errors.notReady, { state })
    await appWithin(ctx, appId, scope, true)
    const fresh = { pkgId, label: privacy, importedBy: ctx.accountId, importedAt: ctx.now() }
    const [saved] = await ctx.db
      .insert(privacyImports)
      .values({ appId, teamId, ...fresh })
      .onConflictDoUpdate({
        target: privacyImports.appId,
        set: { ...fresh, revision: sql`${privacyImports.revision} + 1` },
      })
      .returning()
    ctx.audit({ action: 'privacy.import', entity: 'app', entityId: appId, after: { pkgId } })
    ctx.emit({ type: 'privacy.imported', entity: 'app', entityId: appId, data: { pkgId } })
    return saved!
  },
})

function checkedUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed?.protocol === 'https:' && parsed.username === '' && parsed.password === '') return parsed.href
  throw badField('/url', 'url', 'A web address that begins with https:// and names nobody in front of the host.')
}

async function iconOf(ctx: Context, objectId: string): Promise<PageApp['icon']> {
  const { object, stream } = await ctx.transact(inner => readObject(inner, objectId))
  const ending = object.mime === 'image/webp' ? 'webp' : object.mime === 'image/png' ? 'png' : null
  if (ending === null || object.sizeBytes > limits.iconBytes) {
    stream.destroy()
    throw badField('/iconObjectId', 'icon', `A PNG or WEBP of at most ${limits.iconBytes} bytes.`)
  }
  return { bytes: await buffer(stream), ending }
}

export default implement(contract, handlersOf(null))
export const ofAtomicServices = implement(atomicWrapped, handlersOf('ATOMIC_SERVICE'))
