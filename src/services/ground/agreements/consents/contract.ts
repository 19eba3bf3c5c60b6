import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  shape,
  Type,
} from '../../../../kernel/shape.ts'
import { shared } from '../contract.ts'
import { consentPurposes } from '../rules.ts'

const Purpose = oneOf([...consentPurposes])
const mine = { who: 'cp', may: 'none', team: 'none', beforeSigning: true } as const

export const consents = service({
  ...shared,
  prefix: '/privacy/consent/v1',
  calls: {
    queryConsents: {
      ...mine,
      method: 'POST',
      path: '/query',
      summary: 'What the person consents to, by purpose; who never said anything consents to nothing',
      body: shape({ purposes: optional(Type.Array(Purpose, { maxItems: consentPurposes.length, uniqueItems: true })) }),
      answer: shape({ consents: list(shape({ purpose: Purpose, isAgree: flag(), signedAt: nullable(Instant) })) }),
    },
    signConsents: {
      ...mine,
      method: 'POST',
      path: '/sign',
      summary: 'Consents to purposes or takes consent back; each change is a record of its own',
      body: shape({
        consents: Type.Array(shape({ purpose: Purpose, isAgree: flag() }), {
          minItems: 1,
          maxItems: consentPurposes.length,
        }),
      }),
      answer: shape({ consents: list(shape({ purpose: Purpose, isAgree: flag(), signedAt: nullable(Instant) })) }),
    },
    listConsents: {
      ...mine,
      method: 'GET',
      path: '/history',
      summary: 'Every consent of the person and its withdrawal, the newest first',
      query: shape({ ...PageQuery, purpose: optional(Purpose) }),
      answer: pageOf(shape({ consentId: Id, purpose: Purpose, isAgree: flag(), signedAt: Instant })),
    },
  },
})
