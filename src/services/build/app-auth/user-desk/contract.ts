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
  pattern,
  Revision,
  type Static,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { errors, permissions } from '../contract.ts'
import { limits } from '../rules.ts'

const Claims = Type.Record(text(100, 1), Type.Unknown(), { maxProperties: 50 })
const Uid = Id
const Count = integer(0, 1_000_000_000)

export const AppUserView = shape({
  uid: Uid,
  displayName: text(200),
  photoUrl: text(1000),
  email: nullable(text(254)),
  emailVerified: flag(),
  phone: nullable(text(30)),
  state: oneOf(['ACTIVE', 'DISABLED']),
  isAnonymous: flag(),
  hasPassword: flag(),
  providers: list(integer(0, 99)),
  importUid: nullable(text(128)),
  createdAt: Instant,
  lastSignInAt: nullable(Instant),
  revision: Revision,
})

const Whole = shape({
  user: AppUserView,
  claims: Type.Record(Type.String(), Type.Unknown()),
  identities: list(
    shape({
      provider: integer(0, 99),
      issuer: text(400),
      openId: text(255),
      displayName: text(200),
      email: nullable(text(254)),
      linkedAt: Instant,
    }),
  ),
  sessions: list(
    shape({
      familyId: Id,
      provider: integer(0, 99),
      device: text(200),
      createdAt: Instant,
      lastUsedAt: Instant,
      expiresAt: Instant,
      endedAt: nullable(Instant),
      endedBecause: nullable(oneOf(['SIGN_OUT', 'REUSE', 'REVOKED', 'PASSWORD', 'DISABLED', 'DELETED', 'TOO_MANY'])),
    }),
  ),
})

const filters = {
  projectId: Id,
  /** A uid, or how an e-mail address, a phone number or a name begins. */
  query: optional(text(254)),
  provider: optional(Type.Integer({ minimum: 0, maximum: 99 })),
  state: optional(oneOf(['ACTIVE', 'DISABLED'])),
}

const person = {
  displayName: optional(text(100)),
  photoUrl: optional(text(1000)),
  email: optional(nullable(text(254))),
  emailVerified: optional(flag()),
  phone: optional(nullable(text(40))),
  password: optional(text(limits.passwordMost, 1)),
  claims: optional(Claims),
}

/** Users of apps, for the team. */
export const appUserDesk = service({
  name: 'build/app-auth',
  prefix: '/tas/tas-user-service/v1',
  zone: 'current',
  permissions,
  errors,
  calls: {
    getUser: {
      method: 'GET',
      path: '/user',
      who: 'cp',
      may: 'appAuth.users',
      summary: 'A user with providers, claims and sessions',
      query: shape({ projectId: Id, uid: Uid }),
      answer: Whole,
    },
    createUser: {
      method: 'POST',
      path: '/user',
      who: 'cp',
      may: 'appAuth.users',
      transaction: false,
      summary: 'Makes a user',
      body: shape({ projectId: Id, ...person }),
      answer: AppUserView,
    },
    updateUser: {
      method: 'PUT',
      path: '/user',
      who: 'cp',
      may: 'appAuth.users',
      transaction: false,
      summary: 'Changes a user, or lets one in or out; a new password and disabling end every session',
      body: shape({ projectId: Id, uid: Uid, ...person, disabled: optional(flag()), revision: Revision }),
      answer: AppUserView,
    },
    deleteUser: {
      method: 'DELETE',
      path: '/user',
      who: 'cp',
      may: 'appAuth.users',
      summary: 'Deletes a user; what other services keep of the user is erased when asked for',
      query: shape({ projectId: Id, uid: Uid, eraseData: optional(Type.Boolean()) }),
    },
    endUserSession: {
      method: 'DELETE',
      path: '/user/session',
      who: 'cp',
      may: 'appAuth.users',
      summary: 'Ends a session of a user, or all of them',
      query: shape({ projectId: Id, uid: Uid, familyId: optional(Id) }),
      answer: shape({ ended: Count }),
    },
    getUserSummary: {
      method: 'GET',
      path: '/user-summary',
      who: 'cp',
      may: 'appAuth.read',
      summary: 'How many users there are, came and were active, by day',
      query: shape({ projectId: Id, days: optional(Type.Integer({ minimum: 1, maximum: 90 })) }),
      answer: shape({
        total: Count,
        newToday: Count,
        dau: Count,
        mau: Count,
        disabled: Count,
        anonymous: Count,
        byProvider: list(shape({ provider: integer(0, 99), users: Count })),
        byDay: list(shape({ date: pattern('^\\d{4}-\\d{2}-\\d{2}$', 10, '2026-11-22'), made: Count, active: Count })),
      }),
    },
    listUsers: {
      method: 'GET',
      path: '/user-list',
      who: 'cp',
      may: 'appAuth.users',
      summary: 'The users of a project, the newest first',
      query: shape({ ...filters, ...PageQuery }),
      answer: pageOf(AppUserView),
    },
    exportUsers: {
      method: 'GET',
      path: '/user-list/export',
      who: 'cp',
      may: 'appAuth.users',
      kind: 'download',
      summary: 'The users of a project as a file',
      query: shape({ ...filters, format: oneOf(['csv', 'xlsx']), language: optional(oneOf(['zh', 'en', 'ru'])) }),
    },
    getCpUser: {
      method: 'GET',
      path: '/cp/user',
      who: 'cp',
      may: 'appAuth.users',
      summary: 'Users by uid, e-mail address or phone number, at most a hundred',
      query: shape({
        projectId: Id,
        uids: optional(text(2000)),
        email: optional(text(254)),
        phone: optional(text(40)),
      }),
      answer: shape({ list: list(AppUserView) }),
    },
    modifyUser: {
      method: 'PUT',
      path: '/cp/user/modify',
      who: 'cp',
      may: 'appAuth.users',
      transaction: false,
      summary: 'Changes a user from a server of the team',
      body: shape({
        projectId: Id,
        uid: Uid,
        patch: shape({ ...person, disabled: optional(flag()) }),
        revokeTokens: optional(flag()),
      }),
      answer: AppUserView,
    },
    deleteUsers: {
      method: 'DELETE',
      path: '/cp/user/delete',
      who: 'cp',
      may: 'appAuth.users',
      summary: 'Deletes up to a hundred users; those that are not here are told',
      body: shape({
        projectId: Id,
        uids: Type.Array(Uid, { minItems: 1, maxItems: 100, uniqueItems: true }),
        eraseData: optional(flag()),
      }),
      answer: shape({ deleted: Count, missing: list(Uid) }),
    },
  },
})

export type AppUserShown = Static<typeof AppUserView>
export type AppUserWhole = Static<typeof Whole>
