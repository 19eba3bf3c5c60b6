import { service } from '../../../kernel/contract.ts'
import { Instant, integer, nullable, oneOf, optional, shape, Type } from '../../../kernel/shape.ts'
import { limits } from './rules.ts'

const Address = Type.String({
  pattern: '^[^\\s@<>"(),:;\\\\]+@[^\\s@<>"(),:;\\\\]+\\.[^\\s@<>"(),:;\\\\]+$',
  maxLength: 254,
  examples: ['support@example.com'],
})

/** Service number 115. */
export const developerSupport = service({
  name: 'ground/developer-support',
  prefix: '/dsp/developer-support/v1',
  zone: 'current',
  permissions: ['support.contact'],
  errors: {
    noCode: [201150001, 422, 'No code waits for {address}; ask for one first.'],
    codeTooSoon: [201150002, 429, 'A code was sent a moment ago; the next can be sent at {available}.'],
    tooManyContacts: [201150003, 422, 'A team has at most {limit} contacts.'],
  },
  calls: {
    verifyContact: {
      method: 'POST',
      path: '/contact/verification',
      who: 'cp',
      may: 'support.contact',
      summary: 'Without a code mails one to a contact of the team; with it proves the address',
      body: shape({
        address: Address,
        code: optional(Type.String({ pattern: '^[0-9]{6}$', examples: ['123456'] })),
      }),
      answer: shape({
        state: oneOf(['SENT', 'VALID', 'WRONG', 'USED_UP']),
        address: Type.String(),
        triesLeft: integer(0, limits.tries),
        expiresAt: nullable(Instant),
        verifiedAt: nullable(Instant),
      }),
    },
  },
})
