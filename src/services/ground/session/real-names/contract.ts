import { service } from '../../../../kernel/contract.ts'
import {
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
  Revision,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { shared } from '../contract.ts'
import { documentTypes } from './rules.ts'

const Country = pattern('^[A-Z]{2}$', 2, 'DE')
const State = integer(0, 5)
const Kind = oneOf(['individual', 'enterprise'])

/** One of both parts, as `kind` says. */
export const Individual = shape({
  fullName: text(100, 1),
  country: Country,
  documentType: oneOf(documentTypes),
  documentNumber: text(60, 4),
})
export const Enterprise = shape({
  companyName: text(200, 1),
  country: Country,
  registrationNumber: text(60, 4),
  representative: text(100, 1),
  address: text(300, 1),
})

export const RealName = shape({
  accountId: Id,
  state: State,
  kind: nullable(Kind),
  /** Numbers of documents are shown by their last four characters. */
  individual: nullable(Individual),
  enterprise: nullable(Enterprise),
  submittedAt: nullable(Instant),
  decidedAt: nullable(Instant),
  reason: nullable(text(500)),
  expiresAt: nullable(Instant),
  allowedActions: list(oneOf(['submit', 'withdraw'])),
  revision: integer(0, 2_147_483_647),
})

export const RealNameCase = shape({
  accountId: Id,
  loginName: text(254),
  name: text(64),
  kind: Kind,
  state: State,
  submittedAt: Instant,
  decidedAt: nullable(Instant),
  expiresAt: nullable(Instant),
  revision: Revision,
})

export const RealNameFile = shape({
  ...RealNameCase.properties,
  individual: nullable(Individual),
  enterprise: nullable(Enterprise),
  reason: nullable(text(500)),
  allowedActions: list(oneOf(['decide'])),
})

/** What the form for refusing asks for. */
export const Refused = shape({ verdict: oneOf(['refuse']), reason: text(500, 1), revision: Revision })

export const realNameCalls = service({
  ...shared,
  prefix: '/oauth2/v1',
  calls: {
    getRealName: {
      method: 'GET',
      path: '/real-name',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'The real-name state of who asks and what was handed in',
      answer: RealName,
    },
    submitRealName: {
      method: 'PUT',
      path: '/real-name',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Hands in real-name details for review',
      body: shape({
        kind: Kind,
        individual: optional(Individual),
        enterprise: optional(Enterprise),
        /** When the document ends; a pass ends with it. */
        documentEndsAt: optional(Instant),
        revision: integer(0, 2_147_483_647),
      }),
      answer: RealName,
    },
    withdrawRealName: {
      method: 'DELETE',
      path: '/real-name',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Takes the details back before they are decided about',
      answer: RealName,
    },
    listRealNames: {
      method: 'GET',
      path: '/manage/real-names',
      who: 'manage',
      may: 'session.review',
      summary: 'Real-name details handed in, the longest waiting first',
      query: shape({ ...PageQuery, state: optional(State), search: optional(text(100)) }),
      answer: pageOf(RealNameCase),
    },
    readRealName: {
      method: 'GET',
      path: '/manage/real-names/:accountId',
      who: 'manage',
      may: 'session.review',
      summary: 'The details of one person; reading them is written down',
      params: shape({ accountId: Id }),
      answer: RealNameFile,
    },
    decideRealName: {
      method: 'POST',
      path: '/manage/real-names/:accountId/decision',
      who: 'manage',
      may: 'session.review',
      summary: 'Passes or refuses real-name details; a refusal says why',
      params: shape({ accountId: Id }),
      body: shape({
        verdict: oneOf(['pass', 'refuse']),
        reason: optional(text(500)),
        expiresAt: optional(Instant),
        revision: Revision,
      }),
      answer: RealNameFile,
    },
  },
})
