import { service } from '../../../../kernel/contract.ts'
import { Id, Instant, integer, list, nullable, oneOf, Revision, shape, text } from '../../../../kernel/shape.ts'
import { AppQuery } from '../contract.ts'
import { developStatuses, packageTypes, saidDevelopStatuses } from '../rules.ts'

const Location = shape({
  appId: Id,
  siteId: integer(0, 99),
  /** From then on the app stays in this zone; null while that is not settled. */
  lockedAt: nullable(Instant),
  revision: Revision,
})
const PackageName = nullable(text(255))
const Related = shape({ appId: Id, name: text(64), packageName: PackageName, packageType: oneOf(packageTypes) })

/** Where an app's data stays, where it could go, and what could belong to it. */
export const appPlaces = service({
  name: 'distribute/apps',
  prefix: '/amis/app-manage/v1',
  zone: 'current',
  permissions: ['apps.read', 'apps.edit'],
  errors: {
    locationFixed: [
      202010008,
      422,
      'The data of an app stays with its project, at site {siteId}; make the app in a project at site {wanted}.',
    ],
    statusDerived: [202010009, 422, 'The app is on shelf; what it is then follows from that.'],
  },
  calls: {
    getAppLocation: {
      method: 'GET',
      path: '/app/location',
      who: 'cp',
      may: 'apps.read',
      summary: 'The zone an app’s data stays in, and since when that is settled',
      query: AppQuery,
      answer: Location,
    },
    updateAppLocation: {
      method: 'PUT',
      path: '/app/location',
      who: 'cp',
      may: 'apps.edit',
      summary: 'Settles the zone an app’s data stays in, for ever; it is that of its project',
      body: shape({ appId: Id, siteId: integer(0, 99), revision: Revision }),
      answer: Location,
    },
    listSeriesCandidates: {
      method: 'GET',
      path: '/app/series/selectable/list',
      who: 'cp',
      may: 'apps.read',
      summary:
        'Apps of the team that could stand in one series with this one: of its name or developer, for another platform',
      query: AppQuery,
      answer: shape({ list: list(shape({ ...Related.properties, developerName: text(255) })) }),
    },
    getDevelopStatus: {
      method: 'GET',
      path: '/app/develop/status',
      who: 'cp',
      may: 'apps.read',
      summary: 'How far an app is, derived from its packages and versions',
      query: AppQuery,
      answer: shape({ appId: Id, developStatus: oneOf(developStatuses) }),
    },
    updateDevelopStatus: {
      method: 'PUT',
      path: '/app/develop/status',
      who: 'cp',
      may: 'apps.edit',
      summary: 'Says how far an app is that is not on shelf',
      body: shape({ appId: Id, developStatus: oneOf(saidDevelopStatuses), revision: Revision }),
      answer: shape({ appId: Id, developStatus: oneOf(developStatuses), revision: Revision }),
    },
  },
})
