import { service } from '../../../kernel/contract.ts'
import { Instant, integer, list, nullable, oneOf, optional, shape, Type } from '../../../kernel/shape.ts'
import { contactStates, limits } from './rules.ts'

const Address = Type.String({
  pattern: '^[^\\s@<>"(),:;\\\\]+@[^\\s@<>"(),:;\\\\]+\\.[^\\s@<>"(),:;\\\\]+$',
  maxLength: 254,
  examples: ['support@example.com'],
})

const Code = Type.String({ pattern: '^[0-9]{6}$', examples: ['123456'] })

/** What a form sends that proves an address. */
export const ContactProof = shape({ address: Address, code: Code })

const Contact = shape({
  address: Type.String(),
  state: oneOf([...contactStates]),
  triesLeft: integer(0, limits.tries),
  sentAt: Instant,
  /** When the next code can be sent. */
  availableAt: Instant,
  /** Of a code that waits. */
  expiresAt: nullable(Instant),
  verifiedAt: nullable(Instant),
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
    removedTooSoon: [201150004, 429, 'A code was sent to {address} a moment ago; it can be removed at {available}.'],
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
        code: optional(Code),
      }),
      answer: shape({
        state: oneOf(['SENT', 'VALID', 'WRONG', 'USED_UP']),
        address: Type.String(),
        triesLeft: integer(0, limits.tries),
        expiresAt: nullable(Instant),
        verifiedAt: nullable(Instant),
      }),
    },
    listContacts: {
      method: 'GET',
      path: '/contact/list',
      who: 'cp',
      may: 'support.contact',
      summary: 'The contacts of the team: proven, waiting for their code, or in need of a new one',
      answer: shape({
        total: integer(0, limits.contacts),
        list: list(Contact),
        nextCursor: nullable(Type.String()),
      }),
    },
    removeContact: {
      method: 'DELETE',
      path: '/contact',
      who: 'cp',
      may: 'support.contact',
      summary: 'Forgets a contact of the team',
      query: shape({ address: Address }),
      answer: shape({ address: Type.String() }),
    },
  },
})
