import { service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { zoneIds } from '../../../../kernel/zones.ts'

const Zone = oneOf(zoneIds as ['CN', ...typeof zoneIds])
const Count = integer(0, Number.MAX_SAFE_INTEGER)
const ServiceId = Type.String({ pattern: '^[a-z][a-z0-9-]{1,39}$', examples: ['cloud-db'] })
const Words = shape({ zh: text(100), en: text(100), ru: text(100) })
const OfProject = { projectId: Id }
const OfService = { projectId: Id, serviceId: ServiceId }
const Settings = Type.Record(text(40, 1), Type.Union([text(200), Type.Number(), Type.Boolean()]), { maxProperties: 20 })
const State = oneOf(['NONE', 'REFUSED', 'ENABLED', 'DISABLED'])

/** What stands in the way: zone, agreement or another service, with their names. */
const Obstacle = nullable(shape({ kind: oneOf(['zone', 'agreement', 'service']), missing: list(text(40)) }))

export const ServiceOrder = shape({
  orderId: nullable(Id),
  projectId: Id,
  serviceId: ServiceId,
  category: oneOf(['build', 'grow', 'analyse', 'operate']),
  name: Words,
  state: State,
  reason: nullable(text(200)),
  obstacle: Obstacle,
  /** Services that are on and need this one. */
  neededBy: list(ServiceId),
  config: Settings,
  orderedAt: nullable(Instant),
  revision: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
})

const Agreement = shape({
  agreementId: text(40),
  version: integer(1, 1000),
  name: Words,
  isSigned: Type.Boolean(),
  signedBy: nullable(Id),
  signedAt: nullable(Instant),
})

export const projectServices = service({
  name: 'ground/projects',
  prefix: '/cpms/project-service/v1',
  zone: 'home',
  permissions: ['projects.read', 'projects.edit'],
  errors: {
    noSuchService: [201030010, 404, 'There is no service {serviceId}; the list of services names them.'],
    notInZone: [201030011, 422, '{serviceId} is not offered in the zone {zone}; take a project in another zone.'],
    agreementNeeded: [201030012, 422, 'Agree to {missing} first; {serviceId} needs it.'],
    serviceNeeded: [201030013, 422, 'Turn on {missing} first; {serviceId} stands on it.'],
    neededByOthers: [201030014, 422, '{missing} still stands on {serviceId}; turn that off first.'],
    notOrdered: [201030015, 422, '{serviceId} is not on in this project; order it first.'],
    noSuchAgreement: [201030016, 404, 'There is no agreement {agreementId} in version {version}.'],
  },
  calls: {
    getOrder: {
      method: 'GET',
      path: '/services/order',
      who: 'cp',
      may: 'projects.read',
      summary: 'One service of a project',
      query: shape(OfService),
      answer: ServiceOrder,
    },
    orderService: {
      method: 'POST',
      path: '/services/order',
      who: 'cp',
      may: 'projects.edit',
      summary: 'Turns a service on for a project; may be repeated',
      body: shape(OfService),
      answer: ServiceOrder,
    },
    endService: {
      method: 'DELETE',
      path: '/services/order',
      who: 'cp',
      may: 'projects.edit',
      summary: 'Turns a service off; its settings are kept',
      query: shape(OfService),
      answer: ServiceOrder,
    },
    listOrders: {
      method: 'GET',
      path: '/services/order/list',
      who: 'cp',
      may: 'projects.read',
      summary: 'Every service there is, with its state in the project',
      query: shape({ ...OfProject, state: optional(State) }),
      answer: shape({ total: Count, list: list(ServiceOrder) }),
    },
    applyForServices: {
      method: 'POST',
      path: '/services/order/apply',
      who: 'cp',
      may: 'projects.edit',
      summary: 'Applies for several services at once; what stands in the way of one is said and kept',
      body: shape({
        ...OfProject,
        serviceIds: Type.Array(ServiceId, { minItems: 1, maxItems: 20, uniqueItems: true }),
        purpose: optional(text(500)),
      }),
      answer: shape({ list: list(ServiceOrder) }),
    },
    queryApplications: {
      method: 'GET',
      path: '/services/order/apply/query',
      who: 'cp',
      may: 'projects.read',
      summary: 'What became of the applications of a project',
      query: shape(OfProject),
      answer: shape({
        list: list(
          shape({
            orderId: Id,
            serviceId: ServiceId,
            state: State,
            reason: nullable(text(200)),
            purpose: text(500),
            orderedBy: Id,
            orderedByName: nullable(text(64)),
            orderedAt: Instant,
          }),
        ),
      }),
    },
    getServiceConfig: {
      method: 'GET',
      path: '/services/order/config',
      who: 'cp',
      may: 'projects.read',
      summary: 'The settings of a service in a project, with what each may be',
      query: shape(OfService),
      answer: shape({
        ...OfService,
        config: Settings,
        rules: list(
          shape({
            name: text(40),
            kind: oneOf(['number', 'flag', 'word']),
            min: nullable(Type.Number()),
            max: nullable(Type.Number()),
            words: nullable(list(text(40))),
          }),
        ),
        revision: Revision,
      }),
    },
    setServiceConfig: {
      method: 'PUT',
      path: '/services/order/config',
      who: 'cp',
      may: 'projects.edit',
      summary: 'Changes settings of a service; those not named stay',
      body: shape({ ...OfService, config: Settings, revision: Revision }),
      answer: shape({ ...OfService, config: Settings, revision: Revision }),
    },
    getStrategy: {
      method: 'GET',
      path: '/region-service-strategy',
      who: 'cp',
      may: 'projects.read',
      summary: 'Which services are offered in which zone',
      query: shape({ zone: optional(Zone) }),
      answer: shape({
        list: list(shape({ zone: Zone, siteId: integer(1, 8), offered: list(ServiceId), notOffered: list(ServiceId) })),
      }),
    },
    getAggregateInfo: {
      method: 'GET',
      path: '/services-aggregate-info',
      who: 'cp',
      may: 'projects.read',
      summary: 'A project in numbers',
      query: shape(OfProject),
      answer: shape({
        projectId: Id,
        services: shape({ enabled: Count, refused: Count, offered: Count }),
        byCategory: list(shape({ category: text(20), enabled: Count })),
        apps: Count,
        members: Count,
        apiKeys: Count,
        configFiles: Count,
        staleConfigFiles: Count,
        properties: Count,
        unsignedAgreements: Count,
      }),
    },
    listAgreements: {
      method: 'GET',
      path: '/agreements',
      who: 'cp',
      may: 'projects.read',
      summary: 'What can be agreed to for a project, and what was',
      query: shape(OfProject),
      answer: shape({ list: list(Agreement) }),
    },
    signAgreement: {
      method: 'POST',
      path: '/agreements',
      who: 'cp',
      may: 'projects.edit',
      summary: 'Agrees for a project; may be repeated',
      body: shape({ ...OfProject, agreementId: text(40, 1), version: integer(1, 1000) }),
      answer: Agreement,
    },
  },
})
