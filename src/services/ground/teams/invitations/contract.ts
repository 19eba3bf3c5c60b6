import { type Contract, service } from '../../../../kernel/contract.ts'
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
  pattern,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { RoleKey, Roles, Scope } from '../contract.ts'
import { invitationLifeCycle, languages } from './rules.ts'

const State = oneOf([...invitationLifeCycle.states])
const Token = pattern('^[A-Za-z0-9_-]{22}$', 22, 'AAAAAAAAAAAAAAAAAAAAAA')

export const Invitation = shape({
  invitationId: Id,
  channel: oneOf(['email', 'phone']),
  address: text(254),
  roles: list(RoleKey),
  scope: Scope,
  language: oneOf(languages),
  state: State,
  invitedBy: Id,
  invitedByName: text(64),
  /** How often it was sent. */
  sent: integer(0, 1_000_000),
  expiresAt: Instant,
  createdAt: Instant,
  revision: integer(0, 2_147_483_647),
  allowedActions: list(oneOf(['resend', 'cancel'])),
})

/** `link` is for who invites by phone, told this once; by mail it goes to the invited person alone. */
const Sent = shape({ invitation: Invitation, link: nullable(text(500)) })

export const invitations = service({
  name: 'ground/teams',
  prefix: '/ups/v1',
  zone: 'home',
  permissions: ['teams.read', 'teams.members'],
  errors: {
    tooManyInvitations: [204110026, 422, 'A team has at most {limit} open invitations; cancel some first.'],
    expired: [204111003, 422, 'This invitation has expired; ask for a new one.'],
    over: [204111008, 409, 'This invitation was {state} already.'],
    otherAddress: [204111009, 403, 'This invitation is for {address}; sign in with the account of that address.'],
    alreadyInvited: [204111012, 409, '{address} has an open invitation; send that one again.'],
    resentOften: [204111019, 429, 'It was sent a moment ago; try again in {retryAfterSeconds} s.'],
    accountExists: [204111020, 409, 'There is an account of this address; sign in with it to accept.'],
  },
  calls: {
    listInvitations: {
      method: 'GET',
      path: '/invitation/list',
      who: 'cp',
      may: 'teams.members',
      summary: 'Invitations of the team, the newest first',
      query: shape({ ...PageQuery, state: optional(State), search: optional(text(64)) }),
      answer: pageOf(Invitation),
    },
    createInvitation: {
      method: 'POST',
      path: '/invitation',
      who: 'cp',
      may: 'teams.members',
      transaction: false,
      summary: 'Invites somebody by mail or phone, for seven days',
      body: shape({
        address: text(254, 3),
        roles: Roles,
        scope: optional(Scope),
        /** Of the mail; left out, that of the invited account, else of the inviter. */
        language: optional(oneOf(languages)),
      }),
      answer: Sent,
    },
    resendInvitation: {
      method: 'POST',
      path: '/invitation/resend',
      who: 'cp',
      may: 'teams.members',
      transaction: false,
      summary: 'Sends an open invitation again with a new link; the one before ends, the seven days begin anew',
      body: shape({ invitationId: Id }),
      answer: Sent,
    },
    cancelInvitation: {
      method: 'DELETE',
      path: '/invitation',
      who: 'cp',
      may: 'teams.members',
      summary: 'Cancels an open invitation',
      query: shape({ invitationId: Id }),
    },
    readInvitation: {
      method: 'POST',
      path: '/invitation/read',
      who: 'anonymous',
      may: 'none',
      summary: 'What an invitation is about, for who holds its link',
      body: shape({ token: Token }),
      answer: shape({
        teamName: text(64),
        invitedByName: text(64),
        /** Masked. */
        address: text(254),
        roles: list(text(64)),
        state: State,
        expiresAt: Instant,
        /** Whether there is an account to sign in with; else one is made with acceptance. */
        hasAccount: flag(),
      }),
    },
    acceptInvitation: {
      method: 'POST',
      path: '/invitation/accept',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Joins the team; only the account of the invited address can',
      body: shape({ token: Token }),
      answer: shape({ teamId: Id, teamName: text(64) }),
    },
    acceptWithNewAccount: {
      method: 'POST',
      path: '/invitation/accept-new',
      who: 'anonymous',
      may: 'none',
      rate: 'signIn',
      transaction: false,
      summary: 'Makes an account for the invited address, with a password of its own, and joins the team',
      body: shape({ token: Token, name: text(64, 1), password: text(256, 8) }),
      answer: shape({ teamId: Id, teamName: text(64), loginName: text(254) }),
    },
    declineInvitation: {
      method: 'POST',
      path: '/invitation/decline',
      who: 'anonymous',
      may: 'none',
      summary: 'Declines an invitation; its link is enough',
      body: shape({ token: Token }),
    },
  },
})

/** The second generation of the same calls. */
export const invitationsV2: Contract<typeof invitations.calls, typeof invitations.errors> = {
  ...invitations,
  prefix: '/ups/v2',
}
