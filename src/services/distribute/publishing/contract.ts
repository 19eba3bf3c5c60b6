import { type CallSpec, service } from '../../../kernel/contract.ts'
import { Id, integer, nullable, optional, shape, Type, text } from '../../../kernel/shape.ts'
import { limits } from './rules.ts'

/** Tools send fields that nobody here needs; they are left alone, as the field does. */
const open = <P extends Parameters<typeof shape>[0]>(properties: P) => shape(properties, { additionalProperties: true })
/** Some tools write numbers as text. */
const NumberOrText = Type.Union([Type.Integer(), text(40)])
const Time = text(40)
const ReleaseType = optional(integer(1, 7))
const OfApp = { appId: Id, releaseType: ReleaseType }
const Phased = {
  phasedReleaseStartTime: optional(Time),
  phasedReleaseEndTime: optional(Time),
  phasedReleasePercent: optional(Type.Union([Type.Number(), text(10)])),
  phasedReleaseDescription: optional(text(500)),
}
const Pkgs = open({ appId: Id, pkgIds: optional(text(limits.idsLength)) })
/** Answers are of the field's shape and not of ours: see docs/decisions/0008-the-field-s-publishing-api.md. */
const face = { who: 'cp', kind: 'standard', transaction: false } as const satisfies Partial<CallSpec>

const SentFile = open({ fileName: optional(text(255)), fileDestUrl: text(2000, 1) })

/** The publishing API that release tools of the field speak, over the calls that the console makes. */
export const publishing = service({
  name: 'distribute/publishing',
  prefix: '/api/publish',
  zone: 'current',
  permissions: [
    'apps.read',
    'packages.read',
    'packages.upload',
    'versions.read',
    'versions.edit',
    'versions.submit',
    'versions.release',
    'versions.withdraw',
  ],
  errors: {
    /** The number and the words in quotes are what tools look for before they try again. */
    processing: [204144660, 422, 'The package is being processed. It may take 2-5 minutes; submit again then.'],
    uploadAddress: [202070001, 403, 'The upload address was changed or has run out; ask for a new one.'],
    uploadCode: [202070002, 403, 'The field authCode is not the one that came with the upload address.'],
    oneFile: [202070003, 422, 'Send one file for fileType {fileType}, not {files}.'],
    fileType: [
      202070004,
      422,
      'fileType {fileType} is not taken here; send 5 (package), 0 (icon), 1 (film) or 2 (screenshots).',
    ],
    fileAddress: [202070005, 422, '{fileDestUrl} is no address that an upload here answered.'],
    fieldNotTaken: [202070006, 422, '{fields} cannot be changed here; change it on the page of the app.'],
    filmAndCover: [
      202070008,
      422,
      'Send for fileType 1 one film in MP4, and at most one picture before it; {files} came.',
    ],
    fileNotFetched: [202070009, 422, 'The file at downloadUrl was not taken: {reason}'],
    noVersion: [202070007, 422, 'There is no version for that now; the app stands at releaseState {releaseState}.'],
  },
  calls: {
    listAppIds: {
      ...face,
      method: 'GET',
      path: '/v2/appid-list',
      may: 'apps.read',
      summary: 'The apps of package names, separated by commas',
      query: open({ packageName: text(limits.namesLength, 1) }),
    },
    getAppInfo: {
      ...face,
      method: 'GET',
      path: '/v2/app-info',
      may: 'apps.read',
      summary: 'An app with its releaseState 0 to 13, what the reviewer said, and its languages',
      query: open({ ...OfApp, lang: optional(text(20)) }),
    },
    updateAppInfo: {
      ...face,
      method: 'PUT',
      path: '/v2/app-info',
      may: 'versions.edit',
      summary: 'Changes default language, privacy address and countries',
      query: open(OfApp),
      body: open({
        defaultLang: optional(text(20)),
        privacyPolicy: optional(text(1024)),
        publishCountry: optional(text(2000)),
      }),
    },
    updateLanguageInfo: {
      ...face,
      method: 'PUT',
      path: '/v2/app-language-info',
      may: 'versions.edit',
      summary: 'Writes the listing in one language; fields left out stay as they are',
      query: open(OfApp),
      body: open({
        lang: text(20, 1),
        appName: optional(text(1000)),
        appDesc: optional(text(20_000)),
        briefInfo: optional(text(1000)),
        newFeatures: optional(text(5000)),
      }),
    },
    deleteLanguageInfo: {
      ...face,
      method: 'DELETE',
      path: '/v2/app-language-info',
      may: 'versions.edit',
      summary: 'Takes a language out of the listing',
      query: open({ ...OfApp, lang: text(20, 1) }),
    },
    getUploadUrl: {
      ...face,
      method: 'GET',
      path: '/v2/upload-url',
      may: 'packages.upload',
      summary: 'Where to send a file as a form, and the code that goes with it: an hour',
      query: open({ ...OfApp, suffix: text(10, 1) }),
    },
    getObjectUploadUrl: {
      ...face,
      method: 'GET',
      path: '/v2/upload-url/for-obs',
      may: 'packages.upload',
      summary: 'Where to PUT a file, with the headers that go with it',
      query: open({ ...OfApp, fileName: text(255, 1), contentLength: integer(1, Number.MAX_SAFE_INTEGER) }),
    },
    upload: {
      method: 'POST',
      path: '/v2/upload/:ticket',
      who: 'anonymous',
      may: 'none',
      kind: 'upload',
      transaction: false,
      rate: 'upload',
      summary: 'Takes the form of an upload address: file, authCode, fileCount, parseType',
      params: Type.Object({ ticket: text(300, 1) }),
      answer: Type.Object({
        result: Type.Object({
          resultCode: text(10),
          UploadFileRsp: Type.Object({
            ifSuccess: integer(0, 1),
            fileInfoList: Type.Array(
              Type.Object({
                /** Misspelt: the public name. */
                fileDestUlr: text(2000),
                disposableURL: text(2000),
                fileName: text(255),
                size: Type.Integer(),
              }),
            ),
          }),
        }),
      }),
    },
    updateFileInfo: {
      ...face,
      method: 'PUT',
      path: '/v2/app-file-info',
      may: 'versions.edit',
      summary: 'Puts what was uploaded into the version: fileType 5 a package, 0 an icon, 1 a film, 2 screenshots',
      query: open(OfApp),
      body: open({
        fileType: NumberOrText,
        lang: optional(text(20)),
        imgShowType: optional(NumberOrText),
        deviceType: optional(NumberOrText),
        /** Some tools send their one file without a list around it. */
        files: Type.Union([Type.Array(SentFile, { minItems: 1, maxItems: 20 }), SentFile]),
      }),
    },
    getCompileStatus: {
      ...face,
      method: 'GET',
      path: '/v2/package/compile/status',
      may: 'packages.read',
      summary: 'How far packages are: successStatus 0 done, 1 in progress, 2 refused',
      query: Pkgs,
    },
    getBundleCompileStatus: {
      ...face,
      method: 'GET',
      /** Misspelt: the public path. */
      path: '/v2/aab/complile/status',
      may: 'packages.read',
      summary: 'The same by its older address',
      query: Pkgs,
    },
    submitApp: {
      ...face,
      method: 'POST',
      path: '/v2/app-submit',
      may: 'versions.submit',
      summary: 'Submits the version for review; releaseType 3 with phased fields brings it to a share of devices first',
      query: open({ ...OfApp, releaseTime: optional(Time), remark: optional(text(1000)) }),
      body: nullable(open(Phased)),
    },
    submitWithFile: {
      ...face,
      method: 'POST',
      path: '/v2/app-submit-with-file',
      may: 'versions.submit',
      summary:
        'Fetches a package from an address of the developer, puts it into the version, and submits that once it is read',
      query: open(OfApp),
      body: open({
        downloadUrl: text(2000, 1),
        downloadFileName: text(255, 1),
        /** The developer's own name for the request; nothing here needs it. */
        requestId: optional(text(64)),
        releaseType: ReleaseType,
        releaseTime: optional(Time),
        remark: optional(text(1000)),
        ...Phased,
      }),
    },
    updatePhasedRelease: {
      ...face,
      method: 'PUT',
      path: '/v2/phased-release',
      may: 'versions.release',
      summary: 'Enlarges the share, changes end and description',
      query: open(OfApp),
      body: open(Phased),
    },
    updatePhasedState: {
      ...face,
      method: 'PUT',
      path: '/v2/phased-release/state',
      may: 'versions.release',
      summary: 'RELEASE, SUSPEND, CANCEL, GRAY_TERMINATED or ROLLBACK',
      query: open(OfApp),
      body: open({ state: text(30, 1), ...Phased }),
    },
    updateOnShelfTime: {
      ...face,
      method: 'PUT',
      path: '/v2/on-shelf-time',
      may: 'versions.release',
      summary: 'changeType 1 release now, 2 as soon as approved, 3 at another time',
      query: open(OfApp),
      body: open({ changeType: NumberOrText, releaseTime: optional(Time) }),
    },
    cancelSubmission: {
      ...face,
      method: 'PUT',
      path: '/v2/version/on-shelf/cancel',
      may: 'versions.withdraw',
      summary: 'Takes the version of an app back from the store',
      query: open(OfApp),
    },
    cancelVersion: {
      ...face,
      method: 'PUT',
      path: '/v3/version/on-shelf/cancel',
      may: 'versions.withdraw',
      summary: 'Takes a version back from the store',
      body: open({ versionId: Id }),
    },
  },
})
