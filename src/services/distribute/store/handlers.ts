import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Static } from '../../../kernel/shape.ts'
import { zoneOfSlug } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import { implement, PreparedAnswer } from '../../../server/implement.ts'
import { store, type UpdateAnswer } from './contract.ts'
import { memoryOf } from './memory.ts'
import { faceOf, pageOf, searchShelf } from './pages.ts'
import { reachOf } from './reach.ts'
import type { RepositoryZone } from './repository/repositories.ts'
import { decideUpdate } from './rules.ts'
import { sendBytes } from './serve.ts'
import type { Shelf } from './shelf.ts'
import type { Tallies } from './tallies.ts'

export default implement(store, {
  queryUpdates: async (ctx, { body }) => {
    const { shelf, tallies } = memoryOf(ctx.server)
    if (shelf.isBehind) await shelf.catchUp()
    const now = ctx.now()
    const answers = body.packages.map(one => answerDevice(shelf, tallies, one, now))
    return new PreparedAnswer(`{"packages":[${answers.join(',')}]}`)
  },

  getRepository: async (ctx, { query }) => {
    const { shelf, repositories } = memoryOf(ctx.server)
    await shelf.catchUp()
    return repositories.of(repositoryZone(query.zone ?? 'all'))
  },

  listApps: async (ctx, { query }) => {
    const { shelf } = memoryOf(ctx.server)
    await shelf.catchUp()
    return searchShelf(ctx.server.config.publicUrl, shelf, query)
  },

  getApp: async (ctx, { params, query }) => {
    const { shelf } = memoryOf(ctx.server)
    await shelf.catchUp()
    const app = shelf.app(params.packageName)
    const [version] = app?.versions ?? []
    if (!app || !version) refuse(commonErrors.notFound, { entity: 'app', id: params.packageName })
    const { publicUrl } = ctx.server.config
    return { ...faceOf(publicUrl, version, query.lang), ...pageOf(publicUrl, app.versions, query.lang) }
  },

  getVersionReach: (ctx, { query }) => reachOf(ctx, query),

  reportEvents: async (ctx, { body }) => {
    const { tallies } = memoryOf(ctx.server)
    const now = ctx.now()
    for (const { type, versionId } of body.events) tallies.add(versionId, type, now)
    return { received: body.events.length }
  },

  downloadPackage: async (ctx, { params, query }, { request }) => {
    const { shelf, tallies } = memoryOf(ctx.server)
    if (shelf.isBehind) await shelf.catchUp()
    const file = shelf.file(params.fileName) ?? noSuchFile(params.fileName)
    const device = query.deviceId ?? deviceOf(ctx)
    return sendBytes(ctx, request, file, () => tallies.addDownload(file.versionId, device, ctx.now()))
  },

  downloadMedia: async (ctx, { params }, { request }) => {
    const { shelf } = memoryOf(ctx.server)
    if (shelf.isBehind) await shelf.catchUp()
    return sendBytes(ctx, request, shelf.media(params.fileName) ?? noSuchFile(params.fileName))
  },
})

type InstalledPackage = Static<typeof store.calls.queryUpdates.body>['packages'][number]

function answerDevice(shelf: Shelf, tallies: Tallies, installed: InstalledPackage, now: number): string {
  const { packageName, versionCode, lang } = installed
  const device =
    typeof versionCode === 'string' ? (installed as typeof installed & { versionCode: string }) : withText(installed)
  const decision = decideUpdate(shelf.app(packageName)?.versions, device)
  if (typeof decision === 'string') {
    const answer: UpdateAnswer = { packageName, result: decision }
    return JSON.stringify(answer)
  }
  tallies.add(decision.versionId, 'update_offered', now)
  return shelf.updateAnswer(decision, lang, now)
}

const withText = (installed: InstalledPackage) => ({ ...installed, versionCode: String(installed.versionCode) })

/** Who fetches, where the client does not say: devices behind one address with one client count as one. */
export function deviceOf(ctx: Context): string {
  return `address ${ctx.place.ip ?? ''}`
}

/** The zone of a repository by its slug; refuses 404. */
export function repositoryZone(slug: string): RepositoryZone {
  if (slug === 'all') return 'all'
  return zoneOfSlug(slug) ?? refuse(commonErrors.notFound, { entity: 'repository', id: slug })
}

export function noSuchFile(name: string): never {
  refuse(commonErrors.notFound, { entity: 'file', id: name })
}
