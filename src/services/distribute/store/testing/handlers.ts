import type { FastifyRequest } from 'fastify'
import { refuse } from '../../../../kernel/errors.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { repositoryOf } from '../../beta-test/public.ts'
import { countTestInstall, type TestOffer, type Tests, testsOfSecret } from '../../versions/testing/public.ts'
import { deviceOf, noSuchFile } from '../asked.ts'
import { recordOf } from '../records.ts'
import { type GroupIndex, indexFilesOf, keptIndex } from '../repository/groups/group.ts'
import type { IndexedApp } from '../repository/index-v1.ts'
import { sendDocument } from '../repository/send-document.ts'
import { apkNameOf, chooseLocale, compareCodes, decideUpdate, localeOf, stalenessDays } from '../rules.ts'
import { sendBytes } from '../serve.ts'
import { fdroidOfTests, storeTests } from './contract.ts'

export const ofRepository = implement(fdroidOfTests, {
  downloadTestFile: async (ctx, { params: { token, fileName } }, { request }) => {
    hideSecret(request)
    const device = deviceOf(ctx)
    const tests =
      (await asSystem(ctx).transact(inner => testsOfSecret(inner, token, { device, isUse: true }))) ?? noSuchFile('-')
    if (!fileName.endsWith('.apk')) {
      const { files, timestamp } = await indexOf(ctx, token, tests)
      const { bytes, etag, mime } = files.get(fileName) ?? noSuchFile(fileName)
      return sendDocument(request, { body: () => bytes, sizeBytes: bytes.length, etag, changedAt: timestamp, mime })
    }
    const offer = tests.offers.find(one => apkOf(one) === fileName) ?? noSuchFile(fileName)
    const { versionId } = offer.version
    const isLet =
      request.method === 'HEAD' ||
      (await asSystem(ctx).transact(inner => countTestInstall(inner, token, versionId, device)))
    if (!isLet) refuse(fdroidOfTests.errors.testFull)
    const { sha256, sizeBytes } = offer.package
    const served = { packageName: nameOf(offer), appId: offer.app.appId, versionId, zone: ctx.zone, sha256, sizeBytes }
    return sendBytes(ctx, request, { ...served, mime: 'application/vnd.android.package-archive', keptUntil: null })
  },
})

export default implement(storeTests, {
  queryTestUpdates: async (ctx, { body }) => {
    const system = asSystem(ctx)
    const { token, deviceId: device } = body
    const tests =
      (await system.transact(inner => testsOfSecret(inner, token, { device, isUse: true }))) ?? noSuchFile('-')
    const packages = body.packages.map(({ packageName, versionCode, ...device }) => {
      const offers = tests.offers
        .filter(one => nameOf(one) === packageName)
        .map(decidable)
        .sort((a, b) => compareCodes(b.versionCode, a.versionCode))
      const installed = { ...device, versionCode: String(versionCode) }
      const found = decideUpdate(offers.length === 0 ? undefined : offers, installed)
      return typeof found === 'string'
        ? { packageName, result: found }
        : { packageName, result: 'UPDATE' as const, ...told(ctx, body.token, found.offer, device.lang) }
    })
    return { packages }
  },

  viewTests: async (ctx, { body: { token, lang } }) =>
    asSystem(ctx).transact(async inner => {
      const tests = (await testsOfSecret(inner, token, { device: '', isUse: false })) ?? noSuchFile('-')
      const versions = tests.offers.map(offer => {
        const { versionId, versionCode, versionName, releaseNotes, size } = told(inner, token, offer, lang)
        return { versionId, versionCode, versionName, notes: releaseNotes, sizeBytes: size }
      })
      const appName = tests.offers[0]?.app.name ?? ''
      return { appName, isPersonal: token.startsWith('u'), repository: repositoryOf(inner, token), versions }
    }),
})

/** Whoever asks has no team: what he may have, his secret says. */
const asSystem = (ctx: Context) => systemContext(ctx.server, ctx.zone, { name: 'tests' })

/** Whoever writes the address of a request into a log must not find the secret there. */
function hideSecret(request: FastifyRequest): void {
  request.raw.url = '/fdroid/test/-/repo'
}

async function indexOf(ctx: Context, token: string, tests: Tests): Promise<GroupIndex> {
  const { name, changedAt } = tests
  const key = ['tests', token, changedAt, ...tests.offers.map(one => one.version.versionId)].join(' ')
  return keptIndex(ctx.server, key, () =>
    asSystem(ctx).transact(async inner => {
      const facts = { address: repositoryOf(inner, token), name, timestamp: changedAt }
      return indexFilesOf(inner, await appsOf(inner, tests.offers), facts)
    }),
  )
}

/** All tests of a secret are of one app. */
async function appsOf(ctx: Context, offers: readonly TestOffer[]): Promise<IndexedApp[]> {
  const versions: IndexedApp['versions'][number][] = []
  for (const offer of offers.filter(one => Number(codeOf(one)) <= Number.MAX_SAFE_INTEGER)) {
    const record = await recordOf(ctx, { ...offer, phase: null }, offer.package, new Map())
    versions.push({ ...record, hero: null, series: null, tests: [], hasPublicPictures: false, apkName: apkOf(offer) })
  }
  versions.sort((a, b) => compareCodes(b.versionCode, a.versionCode))
  const [first] = versions
  return first ? [{ packageName: first.packageName, versions }] : []
}

const nameOf = (offer: TestOffer) => offer.package.packageName ?? offer.app.packageName ?? ''
const codeOf = (offer: TestOffer) => offer.package.versionCode ?? '0'
const apkOf = (offer: TestOffer) => apkNameOf(nameOf(offer), codeOf(offer), offer.package.sha256)

function decidable(offer: TestOffer) {
  const { signers, lineage, minSdk, abis } = offer.package
  return {
    offer,
    versionCode: codeOf(offer),
    signers: [...signers, ...lineage],
    minSdk,
    abis,
    countries: offer.countries,
  }
}

function told(ctx: Context, token: string, offer: TestOffer, lang: string | undefined) {
  const { version, listings, app } = offer
  const byLocale = new Map(listings.map(row => [localeOf(row.lang), row]))
  const row = byLocale.get(chooseLocale([...byLocale.keys()], lang, localeOf(app.defaultLang)))
  return {
    versionId: version.versionId,
    versionCode: codeOf(offer),
    versionName: offer.package.versionName ?? '',
    releaseNotes: row?.newFeatures ?? '',
    size: offer.package.sizeBytes,
    sha256: offer.package.sha256,
    url: `${repositoryOf(ctx, token)}/${apkOf(offer)}`,
    phased: false,
    priority: 0,
    stalenessDays: stalenessDays(version.onShelfAt ?? ctx.now(), ctx.now()),
    forced: false,
  }
}
