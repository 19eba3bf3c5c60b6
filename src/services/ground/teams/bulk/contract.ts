import { bulkOutcome, bulkSummary } from '../../../../kernel/bulk.ts'
import { service } from '../../../../kernel/contract.ts'
import { Id, list, oneOf, optional, PageQuery, pageOf, shape, Type, text } from '../../../../kernel/shape.ts'
import { RoleKey, Roles } from '../contract.ts'
import { bulkActions, limits } from '../rules.ts'

const AccountIds = Type.Array(Id, { minItems: 1, maxItems: limits.membersOfBulk, uniqueItems: true })

const summary = {
  ...bulkSummary(limits.membersOfBulk),
  action: oneOf(bulkActions),
  /** What the members get by `roles`; empty for the other actions. */
  roles: list(RoleKey),
}

const Item = shape({ accountId: Id, name: text(64), loginName: text(254), ...bulkOutcome })

/** One action on up to 100 members: a job with a report for each. The same Idempotency-Key answers the same job. */
export const memberBulks = service({
  name: 'ground/teams',
  prefix: '/ups/v1',
  zone: 'home',
  permissions: ['teams.read', 'teams.members'],
  errors: {},
  calls: {
    changeMembers: {
      method: 'POST',
      path: '/sub-user/bulk',
      who: 'cp',
      may: 'teams.members',
      summary: 'Gives each of the members the roles, or suspends, restores or removes each of them',
      body: shape({ action: oneOf(bulkActions), accountIds: AccountIds, roles: optional(Roles) }),
      answer: shape({ bulkId: Id }),
    },
    getMemberBulk: {
      method: 'GET',
      path: '/sub-user/bulk',
      who: 'cp',
      may: 'teams.members',
      summary: 'How far an action on many members is, and what became of each',
      query: shape({ bulkId: Id }),
      answer: shape({ ...summary, list: list(Item) }),
    },
    listMemberBulks: {
      method: 'GET',
      path: '/sub-user/bulk/list',
      who: 'cp',
      may: 'teams.members',
      summary: 'Actions on many members, the newest first',
      query: shape({ ...PageQuery }),
      answer: pageOf(shape(summary)),
    },
  },
})
