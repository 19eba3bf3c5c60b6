import { service } from '../../../kernel/contract.ts'
import { Id, Instant, integer, optional, shape, text } from '../../../kernel/shape.ts'

/** What sign-in and refresh answer; the names are the specification's. The credential itself is an HttpOnly cookie. */
export const SignedInAnswer = shape({
  siteID: integer(0, 99),
  csrfToken: text(100),
  teamId: text(19),
  accountId: Id,
  /** Soft expiry: after it a refresh is due. */
  expiretime: Instant,
  /** Hard expiry: after it sign in again. */
  expiretime_real: Instant,
})

export const session = service({
  name: 'ground/session',
  prefix: '/oauth2/v1',
  zone: 'home',
  permissions: [],
  errors: {
    badCredentials: [204101001, 400, 'The account name or the password is not right.'],
    locked: [204101003, 429, 'Too many wrong passwords from here; try again in {retryAfterSeconds} s.'],
    accountClosed: [204101004, 403, 'This account is closed; ask the operator of this console.'],
    refreshRefused: [203817001, 401, 'accessToken invalid'],
  },
  calls: {
    login: {
      method: 'POST',
      path: '/login',
      who: 'anonymous',
      may: 'none',
      rate: 'signIn',
      transaction: false,
      summary: 'Signs in with account name and password; sets the session cookie',
      body: shape({
        account: text(254, 1),
        password: text(256, 1),
        clientId: optional(integer(0, 2_147_483_647)),
        channel: optional(integer(0, 2_147_483_647)),
        clientType: optional(integer(0, 2_147_483_647)),
      }),
      answer: SignedInAnswer,
    },
    refresh: {
      method: 'POST',
      path: '/refresh',
      who: 'cp',
      may: 'none',
      team: 'none',
      afterSoftExpiry: true,
      transaction: false,
      summary: 'Renews a session between its soft and its hard expiry and rotates its token',
      answer: SignedInAnswer,
    },
    logout: {
      method: 'POST',
      path: '/logout',
      who: 'cp',
      may: 'none',
      team: 'none',
      afterSoftExpiry: true,
      summary: 'Ends the session on every process',
    },
  },
})
