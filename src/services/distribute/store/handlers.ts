import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Static } from '../../../kernel/shape.ts'
import { partsFor } from '../../../kernel/split-set.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import { implement, PreparedAnswer } from '../../../server/implement.ts'
import { appOf, kindTree } from '../apps/public.ts'
import type { SeenKind } from '../material/public.ts'
import { deviceOf, noSuchFile, repositoryZone } from './asked.ts'
import { store, type UpdateAnswer } from './contract.ts'
import { kindList } from './kind-list.ts'
import { issueLicence, licenceKeyOf } from './licence/licence.ts'
import { memoryOf } from './memory.ts'
import { faceOf, pageOf, searchShelf, seriesOf } from './pages.ts'
import { reachOf } from './reach.ts'
import { addressOf } from './repository/address.ts'
import { indexOf } from './repository/published.ts'
import { signingKeyOf } from './repository/signing-key.ts'
import { decideUpdate, isForced } from './rules.ts'
import { sendBytes } from './serve.ts'
import type { Shelf } from './shelf.ts'
import type { OfferText, ShelfApp, ShelfVersion } from './shelf-version.ts'
import type { Tallies } from './tallies.ts'
import { lookFor } from './tested/look.ts'

export default implement(store, {
  queryUpdates: async (ctx, { body }) => {
    const { shelf, tallies } = memoryOf(ctx.server)
    if (shelf.isBehind) await shelf.catchUp()
    const now = ctx.now()
    const [only] = body.packages
    if (only && body.packages.length === 1) {
      const answer = answerDevice(shelf, tallies, only, body, now)
      return typeof answer === 'string' ? new PreparedAnswer(`{"packages":[${answer}]}`) : answer.alone
    }
    const answers = body.packages.map(one => {
      const answer = answerDevice(shelf, tallies, one, body, now)
      return typeof answer === 'string' ? answer : answer.json
    })
    return new PreparedAnswer(`{"packages":[${answers.join(',')}]}`)
  },

  listKinds: async (ctx, { body }) => {
    const { shelf } = memoryOf(ctx.server)
    await shelf.catchUp()
    if (body.parentId !== undefined && !kindTree().some(kind => kind.id === body.parentId)) {
      refuse(store.errors.unknownCategory, { parentId: body.parentId })
    }
    return { list: kindList(shelf, body) }
  },

  getLicenceKey: async (ctx, { query }) => {
    await ctx.transact(inner => appOf(inner, query.appId))
    const { keyId, publicKey } = await licenceKeyOf(ctx.server, query.appId)
    return { alg: 'RS256', kid: keyId, pem: publicKey }
  },

  issueLicence: (ctx, { body }) => issueLicence(ctx, body),

  getRepository: async (ctx, { query }) => {
    const zone = repositoryZone(query.zone ?? 'all')
    const { timestamp, apps, versions } = await indexOf(ctx, zone)
    const { fingerprint } = await signingKeyOf(ctx.server)
    return { address: addressOf(ctx.server.config.publicUrl, zone), fingerprint, timestamp, apps, versions }
  },

  listApps: async (ctx, { query }) => {
    const { shelf } = memoryOf(ctx.server)
    await shelf.catchUp()
    const seen = lookOf(ctx, query, ['impression'])
    return searchShelf(ctx.server.config.publicUrl, shelf, query, seen)
  },

  getApp: async (ctx, { params, query }) => {
    const { shelf } = memoryOf(ctx.server)
    await shelf.catchUp()
    const app = shelf.app(params.packageName)
    const [version] = app?.versions ?? []
    if (!app || !version) refuse(commonErrors.notFound, { entity: 'app', id: params.packageName })
    const { publicUrl } = ctx.server.config
    const series = seriesOf(publicUrl, shelf, version, query)
    const shown = lookOf(ctx, query, ['impression', 'view'])(version)
    const versions = [shown, ...app.versions.slice(1)]
    return { ...faceOf(publicUrl, shown, query.lang), series, ...pageOf(publicUrl, versions, query.lang) }
  },

  getVersionReach: (ctx, { query }) => reachOf(ctx, query),

  reportEvents: async (ctx, { body }) => {
    const { shelf, tallies, health, installations, viewers } = memoryOf(ctx.server)
    const now = ctx.now()
    checkStars(body.events)
    for (const { type, versionId } of body.events) if (type !== 'rate') tallies.add(versionId, type, now)
    health.add(body.deviceId, body.events, now)
    installations.add(body, ctx.place.ip, now)
    viewers.addReports(shelf, body.deviceId, body.events, now)
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

interface Looker {
  lang?: string
  country?: string
  deviceId?: string
}

/** How a version looks to a device; that it was seen is counted. */
function lookOf(ctx: Context, looker: Looker, kinds: readonly SeenKind[]) {
  const { viewers } = memoryOf(ctx.server)
  return (version: ShelfVersion): ShelfVersion => {
    const { deviceId } = looker
    const look = deviceId === undefined ? null : lookFor(version, { ...looker, deviceId })
    if (!look || deviceId === undefined) return version
    viewers.addSeen(version, look, deviceId, kinds, ctx.now())
    return look.version
  }
}

function checkStars(events: Static<typeof store.calls.reportEvents.body>['events']): void {
  for (const [at, { type, stars }] of events.entries()) {
    const pointer = `/events/${at}/stars`
    if (type === 'rate' && stars === undefined) throw badField(pointer, 'required', 'A rating says how many stars.')
    if (type !== 'rate' && stars !== undefined) throw badField(pointer, 'unexpected', `A ${type} has no stars.`)
  }
}

type InstalledPackage = Static<typeof store.calls.queryUpdates.body>['packages'][number]

function answerDevice(
  shelf: Shelf,
  tallies: Tallies,
  installed: InstalledPackage,
  { deviceId, isByHand }: { deviceId: string; isByHand?: boolean },
  now: number,
): string | OfferText {
  const { packageName, versionCode, lang } = installed
  const device =
    typeof versionCode === 'string' ? (installed as typeof installed & { versionCode: string }) : withText(installed)
  const app = shelf.app(packageName)
  const shown = app?.offers[0]?.series && replacedBy(shelf, app, device)
  // Who has no copy yet begins with the edition that is shown; who has one gets its updates until he moves over.
  const decision =
    shown && device.versionCode === '0' ? 'OFF_SHELF' : decideUpdate(app?.offers, device, deviceId, isByHand)
  if (typeof decision === 'string') {
    const answer: UpdateAnswer = { packageName, result: decision, ...shown }
    return JSON.stringify(answer)
  }
  tallies.add(decision.versionId, 'update_offered', now)
  const forced = isForced(decision.minVersionCode, device.versionCode)
  if (shown || forced) {
    return shelf.updateAnswer(decision, lang, now, partsOf(decision, installed), {
      ...shown,
      ...(forced && { forced }),
    })
  }
  return shelf.updateAnswer(decision, lang, now, partsOf(decision, installed))
}

/** Which edition is shown in the place of an app where the device is. */
function replacedBy(shelf: Shelf, app: ShelfApp, { country }: { country?: string | undefined }) {
  const other = app.offers[0] && shelf.editions.replacementOf(app.offers[0], country)
  return other ? { replacedBy: other.packageName } : undefined
}

/** What a device that installs sets gets of one; null for who takes the whole package. */
function partsOf({ parts }: ShelfVersion, { density, abis = [], lang, languages = [] }: InstalledPackage) {
  if (density === undefined) return null
  return partsFor(parts, { abis, density, languages: lang === undefined ? languages : [lang, ...languages] })
}

const withText = (installed: InstalledPackage) => ({ ...installed, versionCode: String(installed.versionCode) })
