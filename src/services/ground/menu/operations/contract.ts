import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
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
import { Zones } from '../announcements/contract.ts'
import { menuErrors, menuPermissions, menuPrefix, SupportApplication } from '../contract.ts'
import { supportStates } from '../rules.ts'

const Feature = pattern('^[A-Za-z][\\w.-]{0,63}$', 64, 'service.apps')
const GroupCode = pattern('^[A-Za-z][\\w-]{0,39}$', 40, 'early-access')
const Switch = shape({
  feature: Feature,
  isOn: flag(),
  percent: Type.Number({ minimum: 0, maximum: 100 }),
  zones: Zones,
  note: text(200),
  updatedAt: Instant,
  revision: Revision,
})
const Group = shape({ groupCode: GroupCode, name: text(64), teams: integer(0, 2_147_483_647), updatedAt: Instant })

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
      summary: 'Switches of features; a service whose service.<id> has none is on',
      answer: shape({ list: list(Switch) }),
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
        percent: Type.Number({ minimum: 0, maximum: 100 }),
        zones: Zones,
        note: text(200),
        revision: integer(0, 2_147_483_647),
      }),
      answer: Switch,
    },
    listGroups: {
      method: 'GET',
      path: '/manage/groups',
      who: 'manage',
      may: 'menu.operate',
      summary: 'Groups of teams in this zone',
      query: shape({ ...PageQuery }),
      answer: pageOf(Group),
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
        join: Type.Array(Id, { maxItems: 500, uniqueItems: true }),
        leave: Type.Array(Id, { maxItems: 500, uniqueItems: true }),
      }),
      answer: Group,
    },
    listSupport: {
      method: 'GET',
      path: '/manage/support/apply',
      who: 'manage',
      may: 'menu.operate',
      summary: 'Who asked for support in this zone',
      query: shape({ ...PageQuery, state: optional(oneOf(supportStates)) }),
      answer: pageOf(Type.Object({ ...SupportApplication.properties, teamId: Id }, { additionalProperties: false })),
    },
    answerSupport: {
      method: 'POST',
      path: '/manage/support/apply/:applyId/answer',
      who: 'manage',
      may: 'menu.operate',
      summary: 'Accepts or declines it with a word to the team',
      params: shape({ applyId: Id }),
      body: shape({ action: oneOf(['accept', 'decline']), answer: text(1000, 1), revision: Revision }),
      answer: SupportApplication,
    },
  },
})
