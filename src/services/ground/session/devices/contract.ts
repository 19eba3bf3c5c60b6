import { service } from '../../../../kernel/contract.ts'
import { flag, Instant, integer, list, nullable, shape, text } from '../../../../kernel/shape.ts'
import { shared, signInMethods } from '../contract.ts'

export const OpenSession = shape({
  sessionId: text(40),
  isThis: flag(),
  ip: nullable(text(60)),
  userAgent: nullable(text(300)),
  method: signInMethods,
  hasSecondFactor: flag(),
  createdAt: Instant,
  lastSeenAt: Instant,
  expiresAt: Instant,
})

export const deviceCalls = service({
  ...shared,
  prefix: '/oauth2/v1/sessions',
  calls: {
    listSessions: {
      method: 'GET',
      path: '',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Where the person is signed in',
      answer: shape({ list: list(OpenSession) }),
    },
    endSession: {
      method: 'DELETE',
      path: '/:sessionId',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Ends one session of the person',
      params: shape({ sessionId: text(40, 1) }),
    },
    endOtherSessions: {
      method: 'DELETE',
      path: '',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Ends every session of the person but this one and forgets the devices',
      answer: shape({ ended: integer(0, 100_000) }),
    },
  },
})
