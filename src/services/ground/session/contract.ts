import { service } from '../../../kernel/contract.ts'
import { AnyJson, flag, Id, Instant, integer, list, oneOf, optional, shape, text } from '../../../kernel/shape.ts'
import { limits } from './rules.ts'

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

/** What a step is called by, handed out once; nothing can be read from it. */
export const Ticket = text(100, 1)
/** Six digits of an authenticator app, or a recovery code. */
export const FactorCode = text(20, 6)
/** What a browser's `navigator.credentials` gave, in the JSON form of WebAuthn. */
export const PasskeyAnswer = shape(
  { id: text(1400, 1), response: AnyJson },
  { additionalProperties: true, description: 'AuthenticationResponseJSON or RegistrationResponseJSON' },
)
export const PasskeyQuestion = AnyJson

/** What all contracts of the service share. */
export const shared = {
  name: 'ground/session',
  zone: 'home',
  permissions: ['session.operate', 'session.review'],
  errors: {
    badCredentials: [204101001, 400, 'The account name or the password is not right.'],
    locked: [204101003, 429, 'Too many wrong tries from here; try again in {retryAfterSeconds} s.'],
    accountClosed: [204101004, 403, 'This account is closed; ask the operator of this console.'],
    refreshRefused: [203817001, 401, 'accessToken invalid'],
    secondFactorNeeded: [
      201010001,
      403,
      'This account asks for a second step; send a code or a passkey with the ticket.',
    ],
    codeWrong: [201010002, 400, 'The code is not right, or it was used before; wait for the next one.'],
    ticketSpent: [201010003, 400, 'This link or step was used already or is too old; begin again.'],
    recentNeeded: [201010004, 403, 'Confirm first that it is you: the last proof is more than 5 minutes old.'],
    passwordWrong: [201010005, 400, 'The password is not right.'],
    passkeyRefused: [201010006, 400, 'The passkey was not accepted; use the one that was made for this address.'],
    accountLocked: [201010007, 403, 'This account is locked; ask the operator of this console to open it.'],
    accountFrozen: [201010008, 403, 'This account is frozen while something is looked into; ask the operator.'],
    accountLeaving: [
      201010009,
      403,
      'This account is about to be deleted; keep it with the ticket, or ask the operator.',
    ],
    signUpClosed: [201010010, 403, 'Accounts are made by the operator of this console.'],
    nameTaken: [201010011, 409, 'The account name {loginName} is taken; choose another one.'],
    inUse: [201010012, 409, 'This console is set up already; sign in.'],
    hasAuthenticator: [201010013, 409, 'There is an authenticator app already; remove it first.'],
    tooMany: [201010014, 422, 'At most {limit} are possible; remove one first.'],
    lastWayIn: [201010015, 422, 'Nothing would be left to sign in with; set a password or add a passkey first.'],
    providerUnreachable: [201010016, 422, 'The provider does not answer as OpenID Connect says: {reason}.'],
    providerRefused: [201010017, 403, 'The provider did not confirm the sign-in; begin again.'],
    identityUnknown: [
      201010018,
      403,
      'No account is linked with this sign-in; sign in otherwise and link it in your profile.',
    ],
    identityTaken: [201010019, 409, 'This sign-in is linked with another account already.'],
    providerTaken: [201010020, 409, 'There is a provider with this issuer and client already.'],
    realNameState: [201010021, 422, 'In state {state} this cannot be done.'],
    ownRealName: [201010022, 403, 'Nobody decides about themselves; leave it to somebody else.'],
    ownAccount: [201010023, 422, 'Nobody closes the account they are using.'],
    leadsTeams: [201010024, 422, 'Hand over or delete the teams first that this account leads: {teams}.'],
    lastAdministrator: [201010025, 422, 'Nobody else administers this console; make somebody an administrator first.'],
    ownSignInOff: [
      201010026,
      403,
      'This console is entered at a sign-in provider; account and password are taken from staff alone, and only when right.',
    ],
    lastProvider: [
      201010027,
      422,
      'Nobody but staff could sign in then: switch the own sign-in on first (#/operate/switches), or keep a provider.',
    ],
  },
} as const

const signInBody = {
  clientId: optional(integer(0, 2_147_483_647)),
  channel: optional(integer(0, 2_147_483_647)),
  clientType: optional(integer(0, 2_147_483_647)),
  /** How the page is shown, `desktop` or `h5` (embedded or narrow); any other word counts as the first. */
  shownAs: optional(text(20)),
}

export const session = service({
  ...shared,
  prefix: '/oauth2/v1',
  calls: {
    signInOptions: {
      method: 'GET',
      path: '/login/options',
      who: 'anonymous',
      may: 'none',
      summary: 'What the sign-in page offers: providers, whether accounts can be made, whether the console is set up',
      answer: shape({
        maySignUp: flag(),
        needsSetUp: flag(),
        /** Whether there is a demo project to look around in without an account. */
        hasDemo: flag(),
        providers: list(shape({ providerId: Id, name: text(60) })),
      }),
    },
    login: {
      method: 'POST',
      path: '/login',
      who: 'anonymous',
      may: 'none',
      rate: 'signIn',
      transaction: false,
      summary: 'Signs in with account name and password; sets the session cookie',
      body: shape({ account: text(254, 1), password: text(256, 1), ...signInBody }),
      answer: SignedInAnswer,
    },
    secondFactorOptions: {
      method: 'POST',
      path: '/login/second-factor/options',
      who: 'anonymous',
      may: 'none',
      rate: 'signIn',
      transaction: false,
      summary: 'What the second step of a sign-in takes',
      body: shape({ ticket: Ticket }),
      answer: shape({ hasAuthenticator: flag(), hasPasskeys: flag(), passkey: optional(PasskeyQuestion) }),
    },
    secondFactor: {
      method: 'POST',
      path: '/login/second-factor',
      who: 'anonymous',
      may: 'none',
      rate: 'signIn',
      transaction: false,
      summary: 'Finishes a sign-in with a code or a passkey',
      body: shape({ ticket: Ticket, code: optional(FactorCode), passkey: optional(PasskeyAnswer) }),
      answer: SignedInAnswer,
    },
    passkeyOptions: {
      method: 'POST',
      path: '/login/passkey/options',
      who: 'anonymous',
      may: 'none',
      rate: 'signIn',
      summary: 'Begins a sign-in with a passkey alone',
      answer: shape({ ticket: Ticket, passkey: PasskeyQuestion }),
    },
    passkeyLogin: {
      method: 'POST',
      path: '/login/passkey',
      who: 'anonymous',
      may: 'none',
      rate: 'signIn',
      transaction: false,
      summary: 'Signs in with a passkey alone; the device has verified the person',
      body: shape({ ticket: Ticket, passkey: PasskeyAnswer, ...signInBody }),
      answer: SignedInAnswer,
    },
    recentOptions: {
      method: 'POST',
      path: '/confirm/options',
      who: 'cp',
      may: 'none',
      team: 'none',
      beforeSigning: true,
      summary: 'How the person may prove again who they are',
      answer: shape({
        isRecent: flag(),
        hasPassword: flag(),
        hasAuthenticator: flag(),
        hasPasskeys: flag(),
        /** Linked with the account; for those who have no password. */
        providers: list(shape({ providerId: Id, name: text(60) })),
        ticket: optional(Ticket),
        passkey: optional(PasskeyQuestion),
        recentForMs: integer(0, limits.deviceLifeMs),
      }),
    },
    confirm: {
      method: 'POST',
      path: '/confirm',
      who: 'cp',
      may: 'none',
      team: 'none',
      beforeSigning: true,
      rate: 'signIn',
      transaction: false,
      summary: 'Proves again who the person is, which dangerous changes ask for',
      body: shape({
        password: optional(text(256, 1)),
        code: optional(FactorCode),
        ticket: optional(Ticket),
        passkey: optional(PasskeyAnswer),
      }),
      answer: shape({ authenticatedAt: Instant }),
    },
    refresh: {
      method: 'POST',
      path: '/refresh',
      who: 'cp',
      may: 'none',
      team: 'none',
      beforeSigning: true,
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
      beforeSigning: true,
      afterSoftExpiry: true,
      summary: 'Ends the session on every process',
    },
  },
})

export const signInMethods = oneOf(['password', 'passkey', 'provider'])
