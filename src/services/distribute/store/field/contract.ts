import { sheetFormats } from '../../../../kernel/cells.ts'
import { service } from '../../../../kernel/contract.ts'
import { languages } from '../../../../kernel/language.ts'
import {
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  pattern,
  shape,
  Type,
} from '../../../../kernel/shape.ts'
import { breakdowns, deviceClasses, failureReasons, outcomes } from './rules.ts'

const amount = Type.Integer({ minimum: 0 })
const Country = pattern('^[A-Z]{2}$', 2, 'DE')
const Code = pattern('^(0|[1-9][0-9]{0,18})$', 19, '42')
const OfApp = { appId: Id, versionId: optional(Id), days: optional(integer(1, 90)) }

const Report = shape({
  /** Made by the device for this one happening; sent again with every retry. */
  reportId: pattern('^[A-Za-z0-9_-]{16,64}$', 64, 'c9f1b2a07d2e4a7f8a31'),
  outcome: oneOf([...outcomes]),
  versionId: Id,
  /** Of an update: the version code that was there before. */
  fromVersionCode: optional(Code),
  deviceClass: optional(oneOf([...deviceClasses])),
  country: optional(Country),
  /** Of a failure. */
  reason: optional(oneOf([...failureReasons])),
  at: optional(Instant),
})

const VersionInField = shape({
  versionId: Id,
  versionCode: Type.String(),
  versionName: Type.String(),
  /** Devices that have it, as far as they reported. */
  active: amount,
})

/** What devices report of installations, and what developers see of it. Nothing in it tells who the device is. */
export const storeField = service({
  name: 'distribute/store',
  prefix: '/store/field/v1',
  zone: 'current',
  permissions: ['store.read'],
  errors: {},
  calls: {
    reportInstalls: {
      method: 'POST',
      path: '/reports',
      who: 'anonymous',
      may: 'none',
      rate: 'device',
      zone: 'home',
      transaction: false,
      summary: 'Reports installations, updates, failures and removals; a report sent again counts once',
      body: shape({ reports: list(Report, { minItems: 1, maxItems: 100 }) }),
      answer: shape({
        /** Counted now. */
        counted: amount,
        /** Counted before. */
        repeated: amount,
        /** Of versions that the store never published. */
        unknown: amount,
      }),
    },
    listInstallDays: {
      method: 'GET',
      path: '/installs',
      who: 'cp',
      may: 'store.read',
      summary: 'What devices reported, by UTC day, the newest first',
      query: shape({ ...OfApp, country: optional(Country) }),
      answer: shape({
        list: list(
          shape({ day: Type.String(), installed: amount, updated: amount, failed: amount, uninstalled: amount }),
        ),
      }),
    },
    exportInstallDays: {
      method: 'GET',
      path: '/installs/export',
      who: 'cp',
      may: 'store.read',
      kind: 'download',
      summary: 'The same as a CSV or XLSX file',
      query: shape({
        format: oneOf(sheetFormats),
        language: optional(oneOf(languages)),
        ...OfApp,
        country: optional(Country),
      }),
    },
    listFieldVersions: {
      method: 'GET',
      path: '/versions',
      who: 'cp',
      may: 'store.read',
      summary: 'Which versions devices have, now and at the end of each day; the most used first',
      query: shape({ appId: Id, days: optional(integer(1, 90)) }),
      answer: shape({
        /** Of all versions together. */
        active: amount,
        /** At most ten; `other` holds the rest. */
        list: list(VersionInField),
        other: amount,
        days: list(
          shape({
            day: Type.String(),
            /** In the order of `list`. */
            active: list(amount),
            other: amount,
          }),
        ),
      }),
    },
    listInstallShares: {
      method: 'GET',
      path: '/shares',
      who: 'cp',
      may: 'store.read',
      summary: 'What devices reported, by country, device class or reason of failure; the fifty largest',
      query: shape({ ...OfApp, by: oneOf([...breakdowns]) }),
      answer: shape({
        total: amount,
        list: list(
          shape({ key: Type.String(), installed: amount, updated: amount, failed: amount, uninstalled: amount }),
        ),
        other: nullable(amount),
      }),
    },
  },
})
