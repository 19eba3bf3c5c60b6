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
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { zoneIds } from '../../../../kernel/zones.ts'
import { GroupCode, menuErrors, menuPermissions, menuPrefix, SupportApplication, Zones } from '../contract.ts'
import { limits, supportActions, supportStates } from '../rules.ts'

const Feature = pattern('^[A-Za-z][\\w.-]{0,63}$', 64, 'service.apps')
const GroupCodes = Type.Array(GroupCode, { maxItems: limits.groupsOfSwitch, uniqueItems: true })
const Percent = Type.Number({ minimum: 0, maximum: 100 })
const Zone = oneOf(zoneIds as ['CN', ...typeof zoneIds])
const Switch = shape({
  feature: Feature,
  isOn: flag(),
  percent: Percent,
  zones: Zones,
  groups: GroupCodes,
  note: text(200),
  /** What teams are drawn with: with it a page says who would get a feature, by the same rule. */
  seed: nullable(text(40)),
  /** Null, and revision 0: nobody has set it, it is as the console comes. */
  updatedAt: nullable(Instant),
  revision: integer(0, 2_147_483_647),
})
const Group = shape({ groupCode: GroupCode, name: text(64), teams: integer(0, 2_147_483_647), updatedAt: Instant })
const OfGroup = shape({ groupCode: GroupCode })
const TeamIds = Type.Array(Id, { maxItems: limits.teamsAtOnce, uniqueItems: true })

/** What the operator sets: switches of features, groups of teams, answers to who asked for support. */
export const menuOperations = service({
  name: 'ground/menu',
  prefix: menuPrefix,
  zone: 'current',
  permissions: menuPermissions,
  errors: menuErrors,
  calls: {
    listSwitches: {
      method: 'GET',
      path: '/manage/switches',
      who: 'manage',
      may: 'menu.operate',
      zone: 'home',
      summary:
        'Switches of features, named ones that nobody has set among them; a service whose service.<id> has none is on',
      query: shape({ ...PageQuery, search: optional(text(64)), state: optional(oneOf(['on', 'off'])) }),
      answer: pageOf(Switch),
    },
    setSwitch: {
      method: 'PUT',
      path: '/manage/switches',
      who: 'manage',
      may: 'menu.operate',
      zone: 'home',
      summary: 'Makes or changes a switch; revision 0 makes it',
      body: shape({
        feature: Feature,
        isOn: flag(),
        percent: Percent,
        zones: Zones,
        /** Left out, they stay. */
        groups: optional(GroupCodes),
        note: text(200),
        revision: integer(0, 2_147_483_647),
      }),
      answer: Switch,
    },
    listTeams: {
      method: 'GET',
      path: '/manage/teams',
      who: 'manage',
      may: 'menu.operate',
      zone: 'home',
      summary: 'Teams by name or id, with the zone and the groups that switches look at',
      query: shape({ ...PageQuery, search: optional(text(64)) }),
      answer: pageOf(shape({ teamId: Id, name: text(64), zone: Zone, groups: list(GroupCode) })),
    },
    listGroups: {
      method: 'GET',
      path: '/manage/groups',
      who: 'manage',
      may: 'menu.operate',
      summary: 'Groups of teams in this zone',
      query: shape({ ...PageQuery, search: optional(text(64)) }),
      answer: pageOf(Group),
    },
    getGroup: {
      method: 'GET',
      path: '/manage/groups/:groupCode',
      who: 'manage',
      may: 'menu.operate',
      summary: 'One group of this zone',
      params: OfGroup,
      answer: Group,
    },
    listGroupTeams: {
      method: 'GET',
      path: '/manage/groups/:groupCode/teams',
      who: 'manage',
      may: 'menu.operate',
      summary: 'The teams of a group; a deleted team has no name any more',
      params: OfGroup,
      query: shape({ ...PageQuery }),
      answer: pageOf(shape({ teamId: Id, name: nullable(text(64)), zone: nullable(Zone), joinedAt: Instant })),
    },
    deleteGroup: {
      method: 'DELETE',
      path: '/manage/groups/:groupCode',
      who: 'manage',
      may: 'menu.operate',
      summary: 'Deletes a group that no switch names; its teams stay',
      params: OfGroup,
    },
    changeGroup: {
      method: 'PUT',
      path: '/manage/groups',
      who: 'manage',
      may: 'menu.operate',
      summary: 'Makes or renames a group, and takes teams in or out',
      body: shape({
        groupCode: GroupCode,
        name: text(64, 1),
        join: TeamIds,
        leave: TeamIds,
      }),
      /** `unknown`: ids to join that are no team's; they were left out. */
      answer: shape({ ...Group.properties, unknown: list(Id) }),
    },
    listSupport: {
      method: 'GET',
      path: '/manage/support/apply',
      who: 'manage',
      may: 'menu.operate',
      summary: 'Who asked for support in this zone; the search looks at words, contact, team and service',
      query: shape({ ...PageQuery, search: optional(text(64)), state: optional(oneOf(supportStates)) }),
      /** A deleted team has no name any more. */
      answer: pageOf(shape({ ...SupportApplication.properties, teamId: Id, teamName: nullable(text(64)) })),
    },
    answerSupport: {
      method: 'POST',
      path: '/manage/support/apply/:applyId/answer',
      who: 'manage',
      may: 'menu.operate',
      summary: 'Accepts or declines it with a word to the team',
      params: shape({ applyId: Id }),
      body: shape({ action: oneOf(supportActions), answer: text(1000, 1), revision: Revision }),
      answer: SupportApplication,
    },
  },
})
