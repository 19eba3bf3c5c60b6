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
  Revision,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { limits, recordalStates } from './rules.ts'

const Features = shape({ packageName: text(255), certMd5: text(100), publicKeyModulus: text(4000) })
const Evidence = shape({
  objectId: text(200, 1),
  fileName: text(255),
  fileSize: integer(0, Number.MAX_SAFE_INTEGER),
  /** Good for some minutes. */
  url: nullable(text(2000)),
})

export const Recordal = shape({
  appId: Id,
  appName: text(64),
  state: oneOf(recordalStates),
  /** -1 nothing was filed, 0 a server in mainland China, 1 a server elsewhere, 2 an app without a network. */
  registeredDclType: integer(-1, 2),
  recordalNumber: nullable(text(limits.numberLength)),
  /** -1 none, 1 company, 2 person, 3 institution. */
  registeredIdType: integer(-1, 3),
  /** Its ends only. */
  registeredIdNumber: nullable(text(limits.idLength)),
  /** 1 the same as the account, 2 another. */
  registeredEntity: nullable(integer(1, 2)),
  registeredEntityName: text(limits.entityLength),
  /** What the filing says of the package. */
  features: nullable(Features),
  /** What the newest accepted package says: to be copied into the filing. */
  actual: nullable(
    shape({
      pkgId: Id,
      packageName: nullable(text(255)),
      certMd5: nullable(text(100)),
      publicKeyModulus: nullable(text(8000)),
      isNetworked: flag(),
    }),
  ),
  evidence: list(Evidence),
  differences: list(shape({ field: text(40), filed: text(8000), actual: text(8000) })),
  source: nullable(oneOf(['PACKAGE', 'MANUAL'])),
  note: nullable(text(limits.noteLength)),
  checkedAt: nullable(Instant),
  updatedAt: nullable(Instant),
  revision: nullable(Revision),
  canFile: flag(),
})

export const recordal = service({
  name: 'distribute/recordal',
  prefix: '/amis/app-recordal-manage/v1',
  zone: 'current',
  permissions: ['recordal.read', 'recordal.edit'],
  errors: {
    numberForm: [
      202100001,
      422,
      'The number {recordalNumber} is none of an app: a province, ICP备, 8 to 10 digits, 号, and A at the end, like 京ICP备12345678号-1A.',
    ],
    idForm: [202100002, 422, 'The number of the {idType} does not check; look at each sign.'],
    partMissing: [202100003, 422, 'Say {field}; only an app without a network leaves it out.'],
    networked: [202100004, 422, 'The package asks for {permission}, so the app is not one without a network.'],
    noPackage: [202100005, 422, 'Upload a package first: the filing is compared with it.'],
    badEvidence: [202100006, 422, 'The file {fileName} is no scan; upload a picture or a PDF as app_qual.'],
    ofOwnTeam: [202100007, 422, 'You are a member of the team that filed this; somebody else has to decide.'],
  },
  calls: {
    checkRecordal: {
      method: 'POST',
      path: '/app-recordal/check-recordal',
      who: 'cp',
      may: 'recordal.edit',
      summary:
        'Hands in the filing of an app: its form and what it says of the package are checked, then a reviewer looks',
      body: shape({
        appId: Id,
        registeredDclType: integer(0, 2),
        recordalNumber: optional(text(limits.numberLength)),
        registeredIdType: optional(integer(1, 3)),
        registeredIdNumber: optional(text(limits.idLength)),
        registeredEntity: optional(integer(1, 2)),
        registeredEntityName: optional(text(limits.entityLength)),
        features: optional(Features),
        evidence: optional(Type.Array(text(200, 1), { maxItems: limits.evidence, uniqueItems: true })),
        revision: optional(Revision),
      }),
      answer: Recordal,
    },
    queryCheckRecordal: {
      method: 'POST',
      path: '/app-recordal/query-check-recordal',
      who: 'cp',
      may: 'recordal.read',
      summary: 'The filing of an app, where its check stands, and what its newest package says',
      body: shape({ appId: Id }),
      answer: Recordal,
    },
  },
})
