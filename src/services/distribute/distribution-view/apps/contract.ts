import { service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  integer,
  list,
  nullable,
  optional,
  pageOf,
  pattern,
  Revision,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { objectUploads } from '../../../ground/files/uploads/contract.ts'
import { App, apps } from '../../apps/contract.ts'
import { Code, Listing, Version, versions } from '../../versions/contract.ts'
import { versionListings } from '../../versions/listing/contract.ts'
import { face, places, view } from '../contract.ts'

const Tag = pattern('^[A-Za-z]{2,3}([-_]?[A-Za-z0-9]{2,4}){0,2}$', 20, 'en-US')
const Adapters = pattern('^[0-9]{1,2}(,[0-9]{1,2}){0,5}$', 20, '4,5')
const VersionNumber = nullable(text(255))

/** An app in the words of the field, as the publishing API has them too. */
const AppFields = {
  defaultLang: text(20),
  parentType: integer(0, 99),
  childType: integer(0, 99),
  grandChildType: nullable(integer(0, 99_999_999)),
  appAdapters: text(40),
  developerNameCn: text(255),
  developerNameEn: text(255),
  packageName: nullable(text(255)),
}
const { appName, appDesc, briefInfo, newFeatures } = Listing.properties
const LanguageInfo = shape({ lang: text(20), appName, appDesc, briefInfo, newFeatures })
const written = versionListings.calls.updateListing.body.properties
const { open, onShelf, phased } = versions.calls.getVersion.answer.properties

export const AppView = shape({
  appId: Id,
  appInfo: shape({
    /** 0 to 13; see open and onShelf for what it means. */
    releaseState: nullable(integer(0, 13)),
    ...AppFields,
    privacyPolicy: optional(text(1024)),
    publishCountry: optional(text(2000)),
    versionNumber: optional(VersionNumber),
    versionCode: optional(nullable(Code)),
    onShelfVersionNumber: optional(VersionNumber),
    onShelfVersionCode: optional(nullable(Code)),
    releaseTime: optional(nullable(Instant)),
  }),
  auditInfo: shape({ auditOpinion: text(4000) }),
  languages: list(LanguageInfo),
  open,
  onShelf,
  phased,
  /** The entities themselves, as their own calls answer them. */
  app: App,
  version: nullable(Version),
})

const own = apps.calls.createApp.body.properties
const Editable = {
  appAdapters: optional(Adapters),
  grandChildType: own.kindMainTag,
  kindSubTags: own.kindSubTags,
  gameNetType: own.gameNetType,
  developerNameCn: own.developerNameCn,
  developerNameEn: own.developerNameEn,
  developerWebsite: own.developerWebsite,
  contact: own.contact,
  familyShare: own.familyShare,
  encrypted: own.encrypted,
}
export const NewApp = {
  projectId: own.projectId,
  appName: own.name,
  defaultLang: Tag,
  ...Editable,
  appAdapters: Adapters,
}
const ofApp = shape({ appId: Id })
const ofLanguage = shape({ appId: Id, language: Tag })

const shared = {
  ...face,
  permissions: ['apps.read', 'apps.create', 'apps.edit', 'apps.delete', 'versions.edit', 'files.upload'],
  errors: {},
  calls: {
    createApp: {
      ...view,
      method: 'POST',
      path: '/app',
      may: 'apps.create',
      summary: 'Adds an app to a project',
      body: shape({
        ...NewApp,
        packageType: own.packageType,
        packageName: own.packageName,
        isGame: own.isGame,
      }),
      answer: AppView,
    },
    getApp: {
      ...view,
      method: 'GET',
      path: '/app/:appId',
      may: 'apps.read',
      summary: 'An app with its releaseState 0 to 13, the version being prepared, and its languages or one of them',
      params: ofApp,
      query: shape({ lang: optional(Tag) }),
      answer: AppView,
    },
    updateApp: {
      ...view,
      method: 'PUT',
      path: '/app/:appId',
      may: 'apps.edit',
      summary: 'Changes the app, and privacy address and countries of the version being prepared',
      params: ofApp,
      body: shape({
        ...Editable,
        defaultLang: optional(Tag),
        privacyPolicy: optional(text(1024)),
        publishCountry: optional(pattern('^[A-Z]{2}(,[A-Z]{2})*$', 2000, 'DE,FR')),
        /** Of the app. */
        revision: optional(Revision),
      }),
      answer: AppView,
    },
    deleteApp: {
      ...view,
      method: 'DELETE',
      path: '/app/:appId',
      may: 'apps.delete',
      summary: 'Deletes an app that was never on shelf',
      params: ofApp,
    },
    updateLanguage: {
      ...view,
      method: 'PUT',
      path: '/app/:appId/language/:language',
      may: 'versions.edit',
      summary: 'Writes the listing in one language; fields left out stay as they are',
      params: ofLanguage,
      body: shape({
        appName: written.appName,
        briefInfo: written.briefInfo,
        appDesc: written.appDesc,
        newFeatures: written.newFeatures,
        icon: written.iconObjectId,
      }),
      answer: shape({ listing: Listing, version: Version }),
    },
    deleteLanguage: {
      ...view,
      method: 'DELETE',
      path: '/app/:appId/language/:language',
      may: 'versions.edit',
      summary: 'Takes a language out of the listing; the default language stays',
      params: ofLanguage,
      answer: shape({ version: Version }),
    },
    listAppInfo: {
      ...view,
      method: 'GET',
      path: '/app-info-list',
      may: 'apps.read',
      summary: 'Apps of the team, searched by name, package name or id',
      query: apps.calls.listApps.query,
      answer: pageOf(
        shape({
          appId: Id,
          appName: text(64),
          projectId: Id,
          ...AppFields,
          packageType: App.properties.packageType,
          lifecycle: App.properties.lifecycle,
          onShelfVersionNumber: VersionNumber,
          onShelfVersionCode: nullable(Code),
          openVersionId: nullable(Id),
          openVersionState: App.properties.openVersionState,
          updateTime: Instant,
        }),
      ),
    },
    makeTempUrl: {
      ...view,
      method: 'POST',
      path: '/file/temp-url',
      may: 'files.upload',
      summary: 'A signed address to PUT one file to: one use, 1 hour; the file stays a day unless an app takes it',
      body: objectUploads.calls.makeAddress.body,
      answer: shape({ tempUrl: text(2000), ...objectUploads.calls.makeAddress.answer.properties }),
    },
  },
} as const

export const appViews = service({ ...shared, prefix: places.first })
export const appViewsV2 = service({ ...shared, prefix: places.second })
