import { service } from '../../../../kernel/contract.ts'
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
} from '../../../../kernel/shape.ts'
import { LocalName } from '../../regions/contract.ts'
import { Body, Country, Digest, kindKey, Language, shared, Title, Version } from '../contract.ts'
import { documentActions, documentCycle, limits, signers } from '../rules.ts'

const Name = text(limits.nameLength, 1)
const State = oneOf([...documentCycle.states])
const desk = { who: 'manage', may: 'agreements.publish' } as const

const kindFields = {
  ...kindKey,
  name: shape({ zh: Name, en: Name, ru: Name }),
  signer: oneOf([...signers]),
  isRequired: flag(),
  isWithdrawable: flag(),
  permissions: Type.Array(text(60, 1), { maxItems: limits.permissionsOfKind, uniqueItems: true }),
}
const Kind = shape({ ...kindFields, updatedAt: Instant, revision: Revision })

const settings = {
  /** Null: as soon as it is published. */
  effectiveAt: nullable(Instant),
  graceDays: integer(0, limits.graceDays),
  requireResign: flag(),
}
const Document = shape({
  documentId: Id,
  ...kindKey,
  name: LocalName,
  country: Country,
  version: Version,
  state: State,
  /** In force now; the one before it no longer is. */
  isInForce: flag(),
  ...settings,
  publishedAt: nullable(Instant),
  languages: list(Language),
  title: text(limits.titleLength),
  /** People or teams whose last word is yes to this version. */
  signatures: integer(0, 2_147_483_647),
  updatedAt: Instant,
  revision: Revision,
  allowedActions: list(oneOf([...documentActions])),
})
const WholeDocument = shape({
  ...Document.properties,
  texts: list(
    shape({ language: Language, title: text(limits.titleLength), body: text(limits.bodyLength), bodyHash: Digest }),
  ),
})
const params = shape({ documentId: Id })

export const agreementDocuments = service({
  ...shared,
  prefix: '/privacy/agreement/v1',
  calls: {
    listKinds: {
      ...desk,
      method: 'GET',
      path: '/manage/kinds',
      summary: 'The kinds of agreements: who signs them and what waits for the signature',
      answer: shape({
        list: list(Kind),
        /** The rights that can wait for a signature of the team. */
        permissions: list(text(60)),
      }),
    },
    setKind: {
      ...desk,
      method: 'POST',
      path: '/manage/kind',
      summary: 'Makes a kind of agreement, with revision 0, or changes one',
      body: shape({ ...kindFields, revision: integer(0, 2_147_483_647) }),
      answer: Kind,
    },
    listDocuments: {
      ...desk,
      method: 'GET',
      path: '/manage/documents',
      summary: 'All documents, drafts and versions of before, the newest first',
      query: shape({
        ...PageQuery,
        state: optional(State),
        agrType: optional(kindKey.agrType),
        branchId: optional(kindKey.branchId),
        country: optional(Country),
        search: optional(text(64)),
      }),
      answer: pageOf(Document),
    },
    createDocument: {
      ...desk,
      method: 'POST',
      path: '/manage/documents',
      summary: 'Begins the next version for a country, with the texts of the one before',
      body: shape({ ...kindKey, country: Country }),
      answer: WholeDocument,
    },
    getDocument: {
      ...desk,
      method: 'GET',
      path: '/manage/documents/:documentId',
      summary: 'One document with its texts',
      params,
      answer: WholeDocument,
    },
    updateDocument: {
      ...desk,
      method: 'PUT',
      path: '/manage/documents/:documentId',
      summary: 'Says of a draft when it comes into force, how long the grace is and whether all sign again',
      params,
      body: shape({ ...settings, revision: Revision }),
      answer: WholeDocument,
    },
    writeText: {
      ...desk,
      method: 'PUT',
      path: '/manage/documents/:documentId/text',
      summary: 'Writes the text of a draft in one language',
      params,
      body: shape({ language: Language, title: Title, body: Body, revision: Revision }),
      answer: WholeDocument,
    },
    deleteText: {
      ...desk,
      method: 'DELETE',
      path: '/manage/documents/:documentId/text',
      summary: 'Takes a language out of a draft',
      params,
      query: shape({ language: Language, revision: Revision }),
      answer: WholeDocument,
    },
    actOnDocument: {
      ...desk,
      method: 'POST',
      path: '/manage/documents/:documentId/action',
      summary: 'Publishes or deletes a draft, or recalls what is not yet in force',
      params,
      body: shape({ action: oneOf([...documentActions]), revision: Revision }),
      answer: shape({ state: nullable(State) }),
    },
  },
})
