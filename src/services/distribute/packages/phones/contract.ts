import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { places } from '../contract.ts'
import { misfits } from './rules.ts'

const facts = {
  model: text(64, 1),
  brand: text(64, 1),
  name: text(128, 1),
  deviceType: text(40, 1),
  os: oneOf(['ANDROID', 'HARMONY']),
  sdk: integer(1, 1000),
  abis: Type.Array(text(40, 1), { minItems: 1, maxItems: 8, uniqueItems: true }),
  width: integer(1, 20_000),
  height: integer(1, 20_000),
  density: integer(1, 2000),
  ramMegabytes: integer(1, 1_048_576),
}

const Model = shape({ ...facts, revision: Revision })

const Phone = shape({
  ...facts,
  revision: Revision,
  /** Whether the package of the call can be installed; null without one. */
  fits: nullable(flag()),
  misfit: nullable(oneOf(misfits)),
})

const shared = {
  name: 'distribute/packages',
  zone: 'current',
  permissions: ['packages.read', 'store.operate'],
  errors: {},
  calls: {
    listPhones: {
      method: 'GET',
      path: '/phone/list',
      who: 'cp',
      may: 'packages.read',
      summary: 'Models of devices; with a package, which of them can install it and why others cannot',
      query: shape({
        pkgId: optional(Id),
        search: optional(text(100)),
        brand: optional(text(64)),
        os: optional(oneOf(['ANDROID', 'HARMONY'])),
        fits: optional(oneOf(['YES', 'NO'])),
        ...PageQuery,
      }),
      answer: shape({
        ...pageOf(Phone).properties,
        brands: list(text(64)),
        /** Of the models that match, without the filter by fit; null without a package. */
        fitting: nullable(integer(0, 1_000_000)),
        matching: integer(0, 1_000_000),
      }),
    },
  },
} as const

export const phones = service({ ...shared, prefix: places.all })
/** The same list where those ask who look after the life of an app. */
export const lifecyclePhones = service({ ...shared, prefix: '/cms' })
export const atomicPhones = service({ ...shared, prefix: places.atomic })

/** Who keeps the catalogue. */
export const phoneDesk = service({
  ...shared,
  prefix: places.all,
  calls: {
    listModels: {
      method: 'GET',
      path: '/manage/phone/list',
      who: 'manage',
      may: 'store.operate',
      summary: 'The catalogue of devices',
      query: shape({
        search: optional(text(100)),
        brand: optional(text(64)),
        os: optional(oneOf(['ANDROID', 'HARMONY'])),
        ...PageQuery,
      }),
      answer: shape({ ...pageOf(Model).properties, brands: list(text(64)) }),
    },
    savePhone: {
      method: 'PUT',
      path: '/manage/phone',
      who: 'manage',
      may: 'store.operate',
      summary: 'Adds a model of a device, or corrects one',
      body: shape({ ...facts, revision: optional(Revision) }),
      answer: Model,
    },
  },
})
