import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { LanguageKey, Listing, ObjectId, Version } from '../contract.ts'
import { limits } from '../rules.ts'
import { textLimits } from './rules.ts'

/** What the store shows of a version, language by language. */
export const versionListings = service({
  name: 'distribute/versions',
  prefix: '/amis/version-manage/v1',
  zone: 'current',
  permissions: ['versions.read', 'versions.edit'],
  errors: {
    unknownLanguage: [204144650, 400, 'There is no language {lang}; see the list of languages.'],
    defaultLanguage: [204144651, 422, 'The default language {lang} cannot be deleted; choose another default first.'],
    emptyText: [204144652, 400, 'The {field} may not be empty.'],
    imageCheck: [204144754, 422, 'The {image} {objectId} is {actual}; it must be {expected}.'],
    emojiInName: [202030002, 400, 'A name has no emoji; take out {count}: {shown}'],
    tooManyScreenshots: [202030011, 422, 'Device type {deviceType} takes at most {max} screenshots.'],
  },
  calls: {
    listListings: {
      method: 'GET',
      path: '/app/version/language',
      who: 'cp',
      may: 'versions.read',
      summary: 'The listing of a version in each language, or in one',
      query: shape({ versionId: Id, lang: optional(LanguageKey) }),
      answer: shape({ versionId: Id, defaultLang: LanguageKey, list: list(Listing), revision: Revision }),
    },
    updateListing: {
      method: 'PUT',
      path: '/app/version/language',
      who: 'cp',
      may: 'versions.edit',
      summary: 'Writes the listing in one language; fields left out stay as they are',
      body: shape({
        versionId: Id,
        lang: LanguageKey,
        appName: optional(text(textLimits.appName)),
        briefInfo: optional(text(textLimits.briefInfo)),
        appDesc: optional(text(textLimits.appDesc)),
        newFeatures: optional(text(textLimits.newFeatures)),
        iconObjectId: optional(nullable(ObjectId)),
        screenshots: optional(
          Type.Array(
            shape({
              deviceType: integer(0, 99),
              showType: integer(0, 1),
              objectIds: Type.Array(ObjectId, { maxItems: 20, uniqueItems: true }),
            }),
            { maxItems: 6 },
          ),
        ),
        /** An MP4, looked at after the call; null takes the film away, and its cover with it. */
        filmObjectId: optional(nullable(ObjectId)),
        filmCoverObjectId: optional(nullable(ObjectId)),
        revision: Revision,
      }),
      answer: shape({ listing: Listing, version: Version }),
    },
    deleteListing: {
      method: 'DELETE',
      path: '/app/version/language',
      who: 'cp',
      may: 'versions.edit',
      summary: 'Takes a language out of the listing; the default language stays',
      query: shape({ versionId: Id, lang: LanguageKey }),
      answer: shape({ version: Version }),
    },
    checkName: {
      method: 'POST',
      path: '/app/name/check',
      who: 'cp',
      may: 'versions.read',
      summary: 'Whether a name can be had in the countries of the app',
      body: shape({
        appName: text(textLimits.appName, 1),
        appId: optional(Id),
        countries: optional(Type.Array(text(2), { maxItems: limits.countries, uniqueItems: true })),
      }),
      answer: shape({
        available: flag(),
        reason: nullable(oneOf(['TAKEN', 'BLOCKED', 'EMOJI', 'RENAMES'])),
        conflictAppName: nullable(text(64)),
        renamesLeft: integer(0, limits.renamesOfYear),
      }),
    },
  },
})
