import { service } from '../../../../kernel/contract.ts'
import { flag, Id, Instant, list, nullable, optional, shape, text } from '../../../../kernel/shape.ts'
import { dgsProjectApis, projectApiService } from '../../../ground/projects/api/contract.ts'
import { projectServices, ServiceOrder } from '../../../ground/projects/services/contract.ts'
import { Cutover, cutovers } from '../../series/cutover/contract.ts'
import { errors, face, OfProject, places, view } from '../contract.ts'

const { getOrder, listOrders, orderService, setServiceConfig, endService, getStrategy } = projectServices.calls
const { getApiService, setApiService } = projectApiService.calls
const { getAllianceAttr, setAllianceAttr } = dgsProjectApis.calls
const { allianceName, contact } = setAllianceAttr.body.properties
const { countries } = cutovers.calls.planCutover.body.properties
const Strategy = getStrategy.answer.properties.list.items.properties
const Words = shape({ zh: text(100), en: text(100), ru: text(100) })
const AllianceView = shape({ appId: Id, ...getAllianceAttr.answer.properties })

const shared = {
  ...face,
  permissions: ['projects.read', 'projects.edit'],
  errors: { whichProject: errors.whichProject, noAlliance: errors.noAlliance, noSeries: errors.noSeries },
  calls: {
    listServices: {
      ...view,
      method: 'GET',
      path: '/service-list',
      may: 'projects.read',
      summary: 'Every service there is, with its state in the project',
      query: shape({ ...OfProject, state: listOrders.query.properties.state }),
      answer: listOrders.answer,
    },
    getAppServices: {
      ...view,
      method: 'GET',
      path: '/app-service-info',
      may: 'projects.read',
      summary: 'The services that are on for an app, which are those of its project',
      query: shape({ appId: Id }),
      answer: shape({ appId: Id, projectId: Id, services: list(ServiceOrder) }),
    },
    listRegionNames: {
      ...view,
      method: 'GET',
      path: '/service/region/name',
      may: 'projects.read',
      summary: 'The zones by name, and which services are offered in each',
      query: getStrategy.query,
      answer: shape({ list: list(shape({ ...Strategy, name: Words })) }),
    },
    getService: {
      ...view,
      method: 'GET',
      path: '/service',
      may: 'projects.read',
      summary: 'One service of a project, with its settings',
      query: shape({ ...getOrder.query.properties, ...OfProject }),
      answer: ServiceOrder,
    },
    addService: {
      ...view,
      method: 'POST',
      path: '/service',
      may: 'projects.edit',
      summary: 'Turns a service on for a project; may be repeated',
      body: shape({ ...orderService.body.properties, ...OfProject }),
      answer: ServiceOrder,
    },
    updateService: {
      ...view,
      method: 'PUT',
      path: '/service',
      may: 'projects.edit',
      summary: 'Changes settings of a service; those not named stay',
      body: shape({ ...setServiceConfig.body.properties, ...OfProject }),
      answer: setServiceConfig.answer,
    },
    removeService: {
      ...view,
      method: 'DELETE',
      path: '/service',
      may: 'projects.edit',
      summary: 'Turns a service off; its settings are kept',
      query: shape({ ...endService.query.properties, ...OfProject }),
      answer: ServiceOrder,
    },
    getApiService: {
      ...view,
      method: 'GET',
      path: '/api-service',
      may: 'projects.read',
      summary: 'Which interfaces of a project are open',
      query: shape(OfProject),
      answer: getApiService.answer,
    },
    setApiService: {
      ...view,
      method: 'PUT',
      path: '/api-service',
      may: 'projects.edit',
      summary: 'Opens and closes several interfaces at once; those not named stay',
      body: shape({ ...setApiService.body.properties, ...OfProject }),
      answer: setApiService.answer,
    },
    getAlliance: {
      ...view,
      method: 'GET',
      path: '/alliance-app',
      may: 'projects.read',
      summary: 'The place of an app, which is that of its project, in an alliance of stores',
      query: shape({ appId: Id }),
      answer: AllianceView,
    },
    setAlliance: {
      ...view,
      method: 'POST',
      path: '/alliance-app',
      may: 'projects.edit',
      summary: 'Says in which alliance of stores an app stands, and whom to ask there; fields left out stay',
      body: shape({ appId: Id, allianceName: optional(allianceName), contact: optional(contact) }),
      answer: AllianceView,
    },
    cutOver: {
      ...view,
      method: 'POST',
      path: '/alli/cutover/app',
      may: 'projects.edit',
      summary:
        'Brings an app, with its project, into the alliance it names, or with isMember false out of it; with startAt moves its users to the edition for HarmonyOS from then on, with startAt null gives that up',
      body: shape({ appId: Id, isMember: optional(flag()), startAt: optional(nullable(Instant)), countries }),
      answer: shape({ ...AllianceView.properties, cutover: nullable(Cutover) }),
    },
  },
} as const

export const serviceViews = service({ ...shared, prefix: places.first })
export const serviceViewsV2 = service({ ...shared, prefix: places.second })
