import { type Contract, service } from '../../../../kernel/contract.ts'
import { flag, Id, integer, list, nullable, oneOf, optional, shape, Type, text } from '../../../../kernel/shape.ts'
import { RoleKey, Scope } from '../contract.ts'

const NamedRole = shape({ role: RoleKey, name: nullable(text(64)) })

export const permissionCheck = service({
  name: 'ground/teams',
  prefix: '/ups-check/permission-check/v1',
  zone: 'home',
  permissions: [],
  errors: {},
  calls: {
    checkPermission: {
      method: 'POST',
      path: '/check/permission',
      who: 'cp',
      may: 'none',
      rate: 'read',
      summary: 'Whether the caller holds permissions, each for the whole team, a project or an app',
      body: shape({
        permissions: Type.Array(shape({ permission: text(60, 1), projectId: optional(Id), appId: optional(Id) }), {
          minItems: 1,
          maxItems: 100,
        }),
      }),
      answer: shape({
        list: list(shape({ permission: text(60), projectId: nullable(Id), appId: nullable(Id), isAllowed: flag() })),
        permVersion: integer(0, 2_147_483_647),
      }),
    },
    syncRelation: {
      method: 'POST',
      path: '/relation/sync',
      who: 'cp',
      may: 'none',
      rate: 'read',
      summary:
        'What the caller may do in the team when it changed since permVersion; drops what processes remember of it',
      body: shape({ permVersion: integer(0, 2_147_483_647) }),
      answer: shape({
        isCurrent: flag(),
        permVersion: integer(0, 2_147_483_647),
        userRoles: list(text(40)),
        userPermission: Type.Record(Type.String(), Type.Literal('Y')),
        scope: Scope,
      }),
    },
  },
})

export const permissionExplain = service({
  name: 'ground/teams',
  prefix: '/ups/v1',
  zone: 'home',
  permissions: ['teams.members'],
  errors: {},
  calls: {
    explainPermission: {
      method: 'GET',
      path: '/permission/explain',
      who: 'cp',
      may: 'none',
      summary: 'Which role and scope give a permission, or what is missing; of others for who manages members',
      query: shape({
        code: text(60, 1),
        /** An app or a project. */
        resource: optional(Id),
        accountId: optional(Id),
      }),
      answer: shape({
        permission: text(60),
        allowed: flag(),
        reason: oneOf(['granted', 'noRole', 'outOfScope', 'unknownPermission', 'suspended']),
        grantedBy: list(NamedRole),
        wouldGrant: list(NamedRole),
        coveredBy: nullable(oneOf(['all', 'project', 'app'])),
        resource: nullable(shape({ kind: oneOf(['project', 'app']), id: Id, name: text(200) })),
        /** Who can change it. */
        leaderName: text(64),
      }),
    },
  },
})

/** The second generation of the same call. */
export const permissionExplainV2: Contract<typeof permissionExplain.calls, typeof permissionExplain.errors> = {
  ...permissionExplain,
  prefix: '/ups/v2',
}
