import { sheetFormats } from '../../../kernel/cells.ts'
import { service } from '../../../kernel/contract.ts'
import { languages } from '../../../kernel/language.ts'
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
  Revision,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { languageKeys } from '../../ground/regions/contract.ts'
import { appActions, appStates, developStatuses, deviceTypeNumbers, limits, packageTypes } from './rules.ts'

/** Languages a store listing can be written in: those of the one table. */
export const listingLanguages = languageKeys

const Language = oneOf(listingLanguages as unknown as string[])
const DeviceTypes = Type.Array(Type.Enum(deviceTypeNumbers as number[]), {
  minItems: 1,
  maxItems: limits.deviceTypes,
  uniqueItems: true,
})
const KindTag = integer(1, 99_999_999)
const SubTags = Type.Array(KindTag, { maxItems: limits.subTags, uniqueItems: true })
const PackageName = text(limits.packageNameLength, 1)
const Website = Type.String({ maxLength: limits.websiteLength, pattern: '^$|^https?://[^\\s]+$' })

const Contact = shape({
  email: optional(Type.String({ maxLength: 254, pattern: '^[^@\\s]+@[^@\\s]+$' })),
  phone: optional(Type.String({ maxLength: 32, pattern: '^[+0-9][0-9 ()-]*$' })),
  inAppPath: optional(text(255)),
})

const ShelfSummary = shape({ versionId: Id, versionCode: text(20), versionName: text(255), at: Instant })

export const App = shape({
  appId: Id,
  projectId: Id,
  siteId: integer(0, 99),
  packageType: oneOf(packageTypes),
  packageName: nullable(PackageName),
  /** Whether PUT /app/package-name would be taken now. */
  canChangePackageName: flag(),
  defaultLang: Language,
  name: text(limits.nameLength),
  iconObjectId: nullable(text(200)),
  isGame: flag(),
  /** Of the demo project: nobody changes it. */
  isDemo: flag(),
  gameNetType: nullable(integer(1, 2)),
  parentType: integer(0, 99),
  childType: integer(0, 99),
  kindMainTag: nullable(KindTag),
  kindSubTags: list(KindTag),
  deviceTypes: list(integer(0, 99)),
  developerNameCn: text(255),
  developerNameEn: text(255),
  developerWebsite: text(255),
  contact: Contact,
  familyShare: flag(),
  encrypted: flag(),
  lifecycle: oneOf(appStates),
  frozenReason: nullable(text(limits.reasonMax)),
  developStatus: oneOf(developStatuses),
  openVersionId: nullable(Id),
  openVersionState: nullable(text(40)),
  shelf: nullable(ShelfSummary),
  everOnShelf: flag(),
  allowedActions: list(oneOf(appActions)),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
})

const Editable = {
  defaultLang: optional(Language),
  kindMainTag: optional(KindTag),
  kindSubTags: optional(SubTags),
  deviceTypes: optional(DeviceTypes),
  gameNetType: optional(integer(1, 2)),
  developerNameCn: optional(text(255)),
  developerNameEn: optional(text(255)),
  developerWebsite: optional(Website),
  contact: optional(Contact),
  familyShare: optional(flag()),
  encrypted: optional(flag()),
}

export const shelfStates = ['ON_SHELF', 'OFF_SHELF', 'NEVER'] as const
export const ListFilters = {
  shelfState: optional(oneOf(shelfStates)),
  sort: optional(oneOf(['updated', 'created', 'name'])),
  order: optional(oneOf(['asc', 'desc'])),
}
const OfTeam = {
  search: optional(text(100)),
  projectId: optional(Id),
  packageType: optional(oneOf(packageTypes)),
  ...ListFilters,
}
const Count = Type.Integer({ minimum: 0 })
export const AppQuery = shape({ appId: Id })

export const apps = service({
  name: 'distribute/apps',
  prefix: '/amis/app-manage/v1',
  zone: 'current',
  permissions: ['apps.read', 'apps.create', 'apps.edit', 'apps.delete'],
  errors: {
    packageNameTaken: [202010001, 409, 'The package name {packageName} belongs to another app of the store.'],
    packageNameReserved: [202010002, 409, 'The package name {packageName} of a deleted app is reserved until {until}.'],
    packageNameInvalid: [202010003, 400, 'The package name {packageName} is not as this type takes it. {says}'],
    packageNameDiffers: [202010004, 422, 'This app has the package name {expected}; the package says {actual}.'],
    packageNameFixed: [202010005, 422, 'The package name {packageName} cannot be changed any more: {reason}.'],
    frozen: [202010006, 422, 'The store has frozen this app: {reason}'],
    tooManyApps: [202010007, 422, 'A team has at most {limit} apps; delete one that was never on shelf.'],
    wrongCategory: [204144757, 422, 'The category {kindMainTag} is none of the tags for {expected}; see /app/kinds.'],
    deleteRefused: [204144747, 422, 'The app cannot be deleted: {reason}.'],
  },
  calls: {
    createApp: {
      method: 'POST',
      path: '/app',
      who: 'cp',
      may: 'apps.create',
      summary: 'Adds an app to a project; its first version is there as soon as it is asked for',
      body: shape({
        projectId: Id,
        name: text(limits.nameLength, 1),
        packageType: oneOf(packageTypes),
        packageName: optional(PackageName),
        isGame: optional(flag()),
        ...Editable,
        defaultLang: Language,
        deviceTypes: DeviceTypes,
      }),
      answer: App,
    },
    getApp: {
      method: 'GET',
      path: '/app',
      who: 'cp',
      may: 'apps.read',
      summary: 'One app with what may be done with it',
      query: AppQuery,
      answer: App,
    },
    updateApp: {
      method: 'PUT',
      path: '/app',
      who: 'cp',
      may: 'apps.edit',
      summary: 'Changes category, devices, contact and default language; names stand in the listing of a version',
      body: shape({ appId: Id, ...Editable, revision: Revision }),
      answer: App,
    },
    deleteApp: {
      method: 'DELETE',
      path: '/app',
      who: 'cp',
      may: 'apps.delete',
      summary: 'Deletes an app that was never on shelf; its package name stays reserved for 30 days',
      query: AppQuery,
    },
    listApps: {
      method: 'GET',
      path: '/app/list',
      who: 'cp',
      may: 'apps.read',
      summary: 'Apps of the team, searched by name, package name or id',
      query: shape({ ...OfTeam, ...PageQuery }),
      answer: pageOf(App),
    },
    exportApps: {
      method: 'GET',
      path: '/app/list/export',
      who: 'cp',
      may: 'apps.read',
      kind: 'download',
      summary: 'The apps of the list as a CSV or XLSX file',
      query: shape({ format: oneOf(sheetFormats), language: optional(oneOf(languages)), ...OfTeam }),
    },
    getAppNumbers: {
      method: 'GET',
      path: '/app/numbers',
      who: 'cp',
      may: 'apps.read',
      summary: 'How many apps of the team stand where: on shelf, by kind of package, by version being prepared',
      query: shape({ projectId: optional(Id) }),
      answer: shape({
        total: Count,
        byShelf: list(shape({ shelfState: oneOf(shelfStates), apps: Count })),
        byPackageType: list(shape({ packageType: oneOf(packageTypes), apps: Count })),
        byOpenVersion: list(shape({ openVersionState: text(40), apps: Count })),
        /** The last twelve months with apps in them, the oldest first, as yyyy-MM. */
        byMonth: list(shape({ month: text(7), created: Count, firstOnShelf: Count })),
      }),
    },
    listAppsByProject: {
      method: 'GET',
      path: '/app/list/by-project',
      who: 'cp',
      may: 'apps.read',
      summary: 'Apps of one project, the newest first',
      query: shape({ projectId: Id, ...PageQuery }),
      answer: pageOf(App),
    },
    getPackageName: {
      method: 'GET',
      path: '/app/package-name',
      who: 'cp',
      may: 'apps.read',
      summary: 'The package name of an app and whether it can still be changed',
      query: AppQuery,
      answer: shape({
        appId: Id,
        packageName: nullable(PackageName),
        canChangePackageName: flag(),
        rule: text(255),
        revision: Revision,
      }),
    },
    updatePackageName: {
      method: 'PUT',
      path: '/app/package-name',
      who: 'cp',
      may: 'apps.edit',
      summary: 'Sets the package name; once, while no package was accepted',
      body: shape({ appId: Id, packageName: PackageName, revision: Revision }),
      answer: App,
    },
    checkPackageName: {
      method: 'POST',
      path: '/app/check/package-name',
      who: 'cp',
      may: 'apps.read',
      summary: 'Whether a package name is well formed and free in the whole store',
      body: shape({ packageType: oneOf(packageTypes), packageName: PackageName, appId: optional(Id) }),
      answer: shape({
        available: flag(),
        reason: nullable(oneOf(['INVALID', 'TAKEN', 'RESERVED'])),
        message: nullable(text(400)),
        reservedUntil: nullable(Instant),
      }),
    },
    checkAppId: {
      method: 'POST',
      path: '/app/check/appid',
      who: 'cp',
      may: 'apps.read',
      summary: 'Whether an app id is one of the team',
      body: shape({ appId: text(40, 1) }),
      answer: shape({ isValid: flag(), name: nullable(text(64)), packageName: nullable(PackageName) }),
    },
    listKinds: {
      method: 'GET',
      path: '/app/kinds',
      who: 'cp',
      may: 'apps.read',
      summary: 'The category tree: roots, categories, tags; an app chooses tags',
      answer: shape({
        list: list(
          shape({
            id: KindTag,
            parentId: nullable(KindTag),
            nameByLang: shape({ zhCN: text(64), enUS: text(64), ruRU: text(64) }),
            game: flag(),
          }),
        ),
      }),
    },
  },
})
