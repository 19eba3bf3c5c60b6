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
  text,
} from '../../../../kernel/shape.ts'
import { shared, Ticket } from '../contract.ts'
import { deletionGraceMs, deletionLifeCycle } from './rules.ts'

const State = oneOf([...deletionLifeCycle.states])

export const Deletion = shape({
  accountId: Id,
  /** Null once it is erased. */
  name: nullable(text(64)),
  loginName: nullable(text(254)),
  state: State,
  isAskedBySelf: flag(),
  /** It leads a team again, so it was not erased when it was time. */
  isHeldUp: flag(),
  askedAt: Instant,
  erasesAt: Instant,
  updatedAt: Instant,
  revision: Revision,
  allowedActions: list(oneOf(['cancel'])),
})

export const deletionCalls = service({
  ...shared,
  prefix: '/oauth2/v1',
  calls: {
    getDeletion: {
      method: 'GET',
      path: '/profile/deletion',
      who: 'cp',
      may: 'none',
      team: 'none',
      transaction: false,
      summary: 'What stands in the way of deleting the own account, and how long it could be kept after all',
      answer: shape({
        graceMs: integer(0, deletionGraceMs),
        teamsLed: list(shape({ teamId: Id, name: text(64) })),
        isLastAdministrator: flag(),
      }),
    },
    askDeletion: {
      method: 'POST',
      path: '/profile/deletion',
      who: 'cp',
      may: 'none',
      team: 'none',
      beforeSigning: true,
      transaction: false,
      summary: 'Asks for the deletion of the own account: signs out everywhere, and erases it after the grace period',
      answer: shape({ erasesAt: Instant }),
    },
    keepAccount: {
      method: 'POST',
      path: '/login/keep',
      who: 'anonymous',
      may: 'none',
      rate: 'signIn',
      summary: 'Keeps an account that was to be deleted, with the ticket that its sign-in was answered with',
      body: shape({ ticket: Ticket }),
    },
    listDeletions: {
      method: 'GET',
      path: '/manage/account-deletions',
      who: 'manage',
      may: 'session.operate',
      summary:
        'Accounts that are to be deleted, the next one first; behind them those that were kept and those that are gone',
      query: shape({ ...PageQuery, state: optional(State) }),
      answer: pageOf(Deletion),
    },
    cancelDeletion: {
      method: 'POST',
      path: '/manage/account-deletions/:accountId/cancel',
      who: 'manage',
      may: 'session.operate',
      summary: 'Keeps an account that was to be deleted',
      params: shape({ accountId: Id }),
      body: shape({ revision: Revision }),
      answer: Deletion,
    },
  },
})
