import { service } from '../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  pattern,
  type Static,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { mostStars } from './health/rules.ts'
import { reportTypes, updateResults } from './rules.ts'

const PackageName = pattern('^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z0-9_]+)+$', 255, 'com.example.notes')
const Code = pattern('^(0|[1-9][0-9]{0,18})$', 19, '42')
const Sha256 = pattern('^[0-9a-f]{64}$', 64, 'a40da80a59d170caa950cf15c18c454d47a39b26989d8b640ecd745ba71bf5dc')
const Language = pattern('^[A-Za-z]{2,3}([-_]?[A-Za-z0-9]{2,8}){0,2}$', 20, 'zh-CN')
const Country = pattern('^[A-Z]{2}$', 2, 'DE')
export const DeviceId = text(128, 1)
export const DeviceSecret = pattern('^[A-Za-z0-9_-]{32,128}$', 128, 'q3J0f8mC2wT7xK5bN9vR1sZ6yH4gL8pD')
const ZoneSlug = oneOf(['all', 'cn', 'sg', 'de', 'ru', 'ir'])
const amount = Type.Integer({ minimum: 0 })

const InstalledPackage = shape({
  packageName: text(255, 1),
  versionCode: Type.Union([Code, integer(0, Number.MAX_SAFE_INTEGER)]),
  certSha256: optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  abis: optional(list(text(20), { maxItems: 8 })),
  sdk: optional(integer(1, 10_000)),
  lang: optional(Language),
  country: optional(Country),
  /** Of the screen, in dots per inch: the device installs sets, and is offered `splits` where there are any. */
  density: optional(integer(1, 10_000)),
  /** Languages that its people read besides `lang`, for the texts of a set. */
  languages: optional(list(Language, { maxItems: 16 })),
})

const Edition = {
  packageName: Type.String(),
  packageType: Type.String(),
  deviceTypes: list(Type.Integer()),
}

/** Besides the name, the result and what took its place, only an UPDATE has more. */
export const UpdateAnswer = shape({
  packageName: Type.String(),
  result: oneOf([...updateResults]),
  /** The package of the edition that the store shows in its place where the device is; people are moved over to it. */
  replacedBy: optional(Type.String()),
  /** Other editions of the same product that are on shelf. */
  editions: optional(list(shape(Edition))),
  versionId: optional(Type.String()),
  versionCode: optional(Type.String()),
  versionName: optional(Type.String()),
  releaseNotes: optional(Type.String()),
  size: optional(amount),
  sha256: optional(Type.String()),
  url: optional(Type.String()),
  /** What the device installs together instead of the file at `url`, the base, whose `split` is null, first. */
  splits: optional(
    list(shape({ split: nullable(Type.String()), size: amount, sha256: Type.String(), url: Type.String() })),
  ),
  phased: optional(flag()),
  priority: optional(integer(0, 5)),
  stalenessDays: optional(amount),
  forced: optional(flag()),
})
export type UpdateAnswer = Static<typeof UpdateAnswer>

const Face = {
  appId: Id,
  packageName: PackageName,
  lang: Type.String(),
  name: Type.String(),
  brief: Type.String(),
  developerName: nullable(Type.String()),
  iconUrl: nullable(Type.String()),
  category: nullable(Type.Integer()),
  versionCode: Type.String(),
  versionName: Type.String(),
  sizeBytes: amount,
  updatedAt: Instant,
}

const VersionOnShelf = shape({
  versionId: Id,
  versionCode: Type.String(),
  versionName: Type.String(),
  releaseNotes: Type.String(),
  sizeBytes: amount,
  sha256: Sha256,
  downloadUrl: Type.String(),
  minSdk: nullable(Type.Integer()),
  targetSdk: nullable(Type.Integer()),
  abis: list(Type.String()),
  permissions: list(shape({ name: Type.String(), maxSdk: nullable(Type.Integer()) })),
  signers: list(Sha256),
  countries: list(Type.String()),
  onShelfAt: Instant,
})

const ReachOfDay = shape({
  versionId: Id,
  day: Type.String(),
  updatesOffered: amount,
  downloads: amount,
  downloadsStarted: amount,
  downloadsCompleted: amount,
  downloadsFailed: amount,
  installs: amount,
  installsFailed: amount,
  opens: amount,
  uninstalls: amount,
  crashes: amount,
  /** Times it did not respond. */
  freezes: amount,
})

const Kind = shape({
  id: Type.Integer({ minimum: 1 }),
  parentId: nullable(Type.Integer({ minimum: 1 })),
  name: Type.String(),
  nameByLang: shape({ zhCN: Type.String(), enUS: Type.String(), ruRU: Type.String() }),
  game: flag(),
  /** Apps on shelf in it and in what is below it. */
  apps: amount,
})

/** The store as devices and visitors see it, and how far a release has come for its developer. */
export const store = service({
  name: 'distribute/store',
  prefix: '/store',
  zone: 'home',
  permissions: ['store.read'],
  errors: {
    unknownCategory: [202050021, 422, 'There is no category {parentId}; leave it out to get all.'],
    notPublished: [202050022, 404, 'The store has not published {packageName} {versionCode}, or took it off.'],
    otherSigner: [202050023, 422, 'The copy of {packageName} is signed by another certificate than the published one.'],
  },
  calls: {
    queryUpdates: {
      method: 'POST',
      path: '/appinfo/v1/grey-upgrade-params',
      who: 'anonymous',
      may: 'none',
      rate: 'device',
      summary: 'Asks for a newer version of each installed package',
      body: shape({
        deviceId: DeviceId,
        /** Somebody looks for updates now; a phased version may be offered before its turn. */
        isByHand: optional(flag()),
        packages: list(InstalledPackage, { maxItems: 200 }),
      }),
      answer: shape({ packages: list(UpdateAnswer) }),
    },
    listKinds: {
      method: 'POST',
      path: '/appinfo/v1/getappkindlist',
      who: 'anonymous',
      may: 'none',
      rate: 'device',
      summary: 'The tree of categories, each with the number of apps on shelf in it',
      body: shape({ parentId: optional(integer(1, 99_999_999)), lang: optional(Language) }),
      answer: shape({ list: list(Kind) }),
    },
    getLicenceKey: {
      method: 'GET',
      path: '/appinfo/v1/drm-key',
      who: 'cp',
      may: 'store.read',
      zone: 'current',
      transaction: false,
      summary: 'The public key to build into an app that checks its licence; made with the first question',
      query: shape({ appId: Id }),
      answer: shape({ alg: oneOf(['RS256']), kid: Type.String(), pem: Type.String() }),
    },
    issueLicence: {
      method: 'POST',
      path: '/appinfo/v1/licence',
      who: 'anonymous',
      may: 'none',
      rate: 'device',
      transaction: false,
      summary: 'A signed word that a copy is the one the store published, for the app to check offline',
      body: shape({
        packageName: PackageName,
        versionCode: Code,
        certSha256: Sha256,
        userIdHash: pattern('^[0-9a-f]{64}$', 64, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'),
        nonce: optional(pattern('^[A-Za-z0-9_-]{8,64}$', 64, 'b1946ac92492d234')),
      }),
      answer: shape({ licence: Type.String(), expiresAt: Instant }),
    },
    getRepository: {
      method: 'GET',
      path: '/appinfo/v1/repository',
      who: 'anonymous',
      may: 'none',
      rate: 'device',
      summary: 'The address and fingerprint of the F-Droid repository',
      query: shape({ zone: optional(ZoneSlug) }),
      answer: shape({
        address: Type.String(),
        fingerprint: Type.String(),
        timestamp: Instant,
        apps: amount,
        versions: amount,
      }),
    },
    listApps: {
      method: 'GET',
      path: '/appinfo/v1/apps',
      who: 'anonymous',
      may: 'none',
      rate: 'device',
      summary: 'Apps on shelf, the newest first',
      query: shape({
        search: optional(text(100)),
        category: optional(integer(0, 2_147_483_647)),
        lang: optional(Language),
        country: optional(Country),
        /** Which page of a test it sees, the same each time; without it what is on shelf. */
        deviceId: optional(DeviceId),
        ...PageQuery,
      }),
      answer: pageOf(shape(Face)),
    },
    getApp: {
      method: 'GET',
      path: '/appinfo/v1/apps/:packageName',
      who: 'anonymous',
      may: 'none',
      rate: 'device',
      summary: 'The store page of an app',
      params: shape({ packageName: text(255, 1) }),
      query: shape({ lang: optional(Language), country: optional(Country), deviceId: optional(DeviceId) }),
      answer: shape({
        ...Face,
        /** The editions of the product, this one among them, the main one first; null where it has none. */
        series: nullable(
          shape({
            name: Type.String(),
            editions: list(
              shape({ ...Edition, name: Type.String(), iconUrl: nullable(Type.String()), isMain: flag() }),
            ),
            /** Shown in the place of this one, in that country or everywhere. */
            replacedBy: nullable(Type.String()),
          }),
        ),
        description: Type.String(),
        releaseNotes: Type.String(),
        screenshotUrls: list(Type.String()),
        film: nullable(shape({ url: Type.String(), coverUrl: nullable(Type.String()) })),
        /** The large picture behind the page, the colour around it and that of the text on it. */
        hero: nullable(shape({ pictureUrl: Type.String(), dominantColor: Type.String(), textColor: Type.String() })),
        languages: list(Type.String()),
        downloadUrl: Type.String(),
        versions: list(VersionOnShelf),
      }),
    },
    getVersionReach: {
      method: 'GET',
      path: '/appinfo/v1/version-reach',
      who: 'cp',
      may: 'store.read',
      zone: 'current',
      summary: 'How far the versions of an app have come, by day',
      query: shape({ appId: Id, versionId: optional(Id), days: optional(integer(1, 90)) }),
      answer: shape({ list: list(ReachOfDay) }),
    },
    reportEvents: {
      method: 'POST',
      path: '/event',
      who: 'anonymous',
      may: 'none',
      rate: 'device',
      summary: 'Reports what happened to versions on a device',
      body: shape({
        deviceId: DeviceId,
        /** Made by the device once and told to nobody else; from then on only who has it rates or comments as this device. */
        deviceSecret: optional(DeviceSecret),
        events: list(
          shape({
            type: oneOf([...reportTypes]),
            versionId: Id,
            code: optional(text(64)),
            /** Of a `rate`, and only there. */
            stars: optional(integer(1, mostStars)),
            /** Of an `install_ok`: the device had the app before, so it is no first install. */
            isUpdate: optional(flag()),
          }),
          { minItems: 1, maxItems: 100 },
        ),
      }),
      answer: shape({ received: amount }),
    },
    downloadPackage: {
      method: 'GET',
      path: '/download/:fileName',
      who: 'anonymous',
      may: 'none',
      rate: 'device',
      kind: 'download',
      summary: 'The bytes of a published package',
      params: shape({ fileName: text(300, 1) }),
      query: shape({ deviceId: optional(DeviceId) }),
    },
    downloadMedia: {
      method: 'GET',
      path: '/media/:fileName',
      who: 'anonymous',
      may: 'none',
      rate: 'device',
      kind: 'download',
      summary: 'An icon, screenshot or film of a published listing',
      params: shape({ fileName: text(100, 1) }),
    },
  },
})
