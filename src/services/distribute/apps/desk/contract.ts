import { service } from '../../../../kernel/contract.ts'
import { Id, list, oneOf, optional, PageQuery, pageOf, shape, text } from '../../../../kernel/shape.ts'
import { App, ListFilters } from '../contract.ts'
import { limits, packageTypes } from '../rules.ts'

const { allowedActions: _actions, ...fields } = App.properties

/** What the store's staff see and do about apps of all teams of a zone. */
export const appsDesk = service({
  name: 'distribute/apps',
  prefix: '/amis/app-manage/v1',
  zone: 'current',
  permissions: ['review.read', 'store.operate'],
  errors: {},
  calls: {
    queryApps: {
      method: 'POST',
      path: '/manage/app/list/query',
      who: 'manage',
      may: 'review.read',
      summary: 'Apps of all teams of the zone, searched by name, package name or id',
      body: shape({
        search: optional(text(100)),
        teamId: optional(Id),
        packageType: optional(oneOf(packageTypes)),
        state: optional(oneOf(['ACTIVE', 'FROZEN'])),
        ...ListFilters,
        ...PageQuery,
      }),
      answer: pageOf(shape({ ...fields, teamId: Id, allowedActions: list(oneOf(['freeze', 'unfreeze'])) })),
    },
    freezeApp: {
      method: 'PUT',
      path: '/manage/app/freeze',
      who: 'manage',
      may: 'store.operate',
      summary: 'Freezes an app: the store hides it and its team can only look',
      body: shape({ appId: Id, reason: text(limits.reasonMax, limits.reasonMin) }),
      answer: App,
    },
    unfreezeApp: {
      method: 'PUT',
      path: '/manage/app/unfreeze',
      who: 'manage',
      may: 'store.operate',
      summary: 'Ends a freeze',
      body: shape({ appId: Id }),
      answer: App,
    },
  },
})
