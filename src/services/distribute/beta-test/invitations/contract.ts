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
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { Count, Invited, permissions } from '../contract.ts'
import { limits } from '../rules.ts'
import { linkLifeCycle } from './rules.ts'

/** What stands behind `token=` in an address of ours. */
export const Token = text(80, 2)

export const Link = shape({
  linkId: Id,
  groupId: Id,
  state: oneOf([...linkLifeCycle.states]),
  /** The page that people open to join; null when it opens nothing any more. */
  page: nullable(text(1000)),
  limit: integer(1, limits.linkPeople),
  used: Count,
  expiresAt: Instant,
  createdAt: Instant,
  allowedActions: list(oneOf(['revoke'])),
})

export const Joined = shape({ appName: text(200), token: Token, page: text(1000) })

/** How people come into a group: a mail to each, or a link for many; and how somebody with an account says yes or no. */
export const betaInvitations = service({
  name: 'distribute/beta-test',
  prefix: '/bts/beta-management/v1',
  zone: 'current',
  permissions,
  errors: {
    liveLink: [100, 409, 'The group has a link that people join by; end it before you make another.'],
    groupFull: [101, 422, 'The link has let in as many people as it may: {limit}.'],
    nobodyToInvite: [
      202080021,
      422,
      'Everybody was invited already; whoever did not answer is mailed again after a day.',
    ],
    internalByLink: [
      202080022,
      422,
      'People join an internal group by name only, because nobody reviews what it gets; make an external group.',
    ],
    notInvited: [202080023, 404, 'This invitation opens nothing; ask who sent it for another.'],
    otherAddress: [202080024, 403, 'This invitation is for {address}; sign in with the account of that address.'],
    noAddress: [202080025, 422, 'Your account has no mail address; add one under Security.'],
    wasRemoved: [202080026, 403, 'The developer took you out of this test; ask him to add you again.'],
    isOver: [202080027, 422, 'Nobody can join any more: it is over.'],
    joinsMany: [202080028, 429, 'Too many people are joining by this link at once; try again later.'],
    tooLong: [202080029, 422, 'A link lives 30 days at most; choose an earlier end.'],
  },
  calls: {
    inviteGroup: {
      method: 'POST',
      path: '/test-user/groups/:groupId/invite',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Mails an invitation to everybody of the group who was not invited, or did not answer for a day',
      params: shape({ groupId: Id }),
      answer: Invited,
    },
    inviteUsers: {
      method: 'POST',
      path: '/invite',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Mails an invitation to each of these people',
      body: shape({ userIds: Type.Array(Id, { minItems: 1, maxItems: limits.usersAtOnce, uniqueItems: true }) }),
      answer: Invited,
    },
    createLink: {
      method: 'POST',
      path: '/test-user/groups/:groupId/links',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'A link by which people join the group, for a number of people and a time; one at a time',
      params: shape({ groupId: Id }),
      body: shape({ limit: integer(1, limits.linkPeople), expiresAt: optional(Instant) }),
      answer: Link,
    },
    listLinks: {
      method: 'GET',
      path: '/test-user/groups/:groupId/links',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Links of a group, the newest first',
      params: shape({ groupId: Id }),
      query: shape({ ...PageQuery }),
      answer: pageOf(Link),
    },
    revokeLink: {
      method: 'DELETE',
      path: '/test-user/groups/:groupId/links',
      who: 'cp',
      may: 'betaTest.manage',
      summary: 'Ends a link; who has joined by it stays',
      params: shape({ groupId: Id }),
      query: shape({ linkId: Id }),
    },
    subscribe: {
      method: 'POST',
      path: '/subscribe',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Somebody with an account says yes: to the invitation that was mailed to him, or by a link',
      body: shape({ token: Token }),
      answer: Joined,
    },
    unsubscribe: {
      method: 'POST',
      path: '/unsubscribe',
      who: 'cp',
      may: 'none',
      team: 'none',
      summary: 'Somebody with an account leaves the tests of an app, by any token that he has of it',
      body: shape({ token: Token }),
      answer: shape({ hasLeft: flag() }),
    },
  },
})

/** The second generation of the same calls. */
export const betaInvitationsV2: Contract<typeof betaInvitations.calls, typeof betaInvitations.errors> = {
  ...betaInvitations,
  prefix: '/bts/beta-management/v2',
}
