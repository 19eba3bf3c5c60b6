import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  optional,
  pattern,
  Revision,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { Package, places } from '../contract.ts'

const Address = pattern('^https://[^\\s]{4,1990}$', 2000, 'https://example.com/app/')
const PackageName = pattern('^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z0-9_]+)+$', 255, 'com.example.page')

const Privacy = shape({
  dataProcess: list(
    shape({
      dataType: text(500),
      labels: list(text(500)),
      purposes: list(text(500)),
      isLinked: flag(),
      isTracking: flag(),
    }),
  ),
  specialApis: list(shape({ apiType: text(500), reasons: list(text(500)) })),
})

const shared = {
  name: 'distribute/packages',
  zone: 'current',
  permissions: ['packages.read', 'packages.upload'],
  errors: {
    noPage: [202020010, 422, 'The package {fileName} is no quick app around a web page.'],
    noSubpackages: [202020011, 422, 'Packages of kind {kind} have no sub-packages; only quick apps do.'],
    noPrivacyManifest: [202020012, 422, 'The package {fileName} holds no pac.json.'],
    notReady: [202020013, 422, 'The package is {state}; only what was accepted can be taken over.'],
  },
  calls: {
    getPage: {
      method: 'GET',
      path: '/app/pkg/rpk/h5',
      who: 'cp',
      may: 'packages.read',
      summary: 'The web page that a quick app was made around',
      query: shape({ pkgId: Id }),
      answer: shape({
        pkgId: Id,
        url: text(2000),
        name: nullable(text(500)),
        packageName: nullable(text(255)),
        versionCode: nullable(text(20)),
        versionName: nullable(text(500)),
        iconObjectId: nullable(text(200)),
      }),
    },
    wrapPage: {
      method: 'POST',
      path: '/app/pkg/rpk/h5',
      who: 'cp',
      may: 'packages.upload',
      transaction: false,
      summary: 'Makes a quick app around a web page and a package of it',
      body: shape({
        appId: Id,
        url: Address,
        name: text(64, 1),
        packageName: PackageName,
        versionCode: integer(1, 2_147_483_647),
        versionName: pattern('^[0-9A-Za-z][0-9A-Za-z.+_-]*$', 50, '1.0.0'),
        iconObjectId: optional(text(200, 1)),
      }),
      answer: Package,
    },
    listSubpackages: {
      method: 'GET',
      path: '/app/pkg/rpk/rpks',
      who: 'cp',
      may: 'packages.read',
      summary: 'The sub-packages of a quick app',
      query: shape({ pkgId: Id }),
      answer: shape({
        total: integer(0, 10_000),
        list: list(shape({ name: text(500), sizeBytes: integer(0, Number.MAX_SAFE_INTEGER), isStandalone: flag() })),
      }),
    },
    getPrivacyManifest: {
      method: 'GET',
      path: '/app/pkg/pac',
      who: 'cp',
      may: 'packages.read',
      summary: 'What the privacy manifest in a package says, and what the app took over before',
      query: shape({ pkgId: Id }),
      answer: shape({
        pkgId: Id,
        manifest: nullable(Privacy),
        imported: nullable(
          shape({ pkgId: Id, importedAt: Instant, label: Privacy, isSame: flag(), revision: Revision }),
        ),
      }),
    },
    importPrivacyManifest: {
      method: 'POST',
      path: '/app/pkg/pac',
      who: 'cp',
      may: 'packages.upload',
      summary: "Takes the privacy manifest of a package over into the app's privacy label",
      body: shape({ pkgId: Id }),
      answer: shape({ appId: Id, pkgId: Id, importedAt: Instant, label: Privacy, revision: Revision }),
    },
  },
} as const

export const wrapped = service({ ...shared, prefix: places.all })
export const atomicWrapped = service({ ...shared, prefix: places.atomic })
