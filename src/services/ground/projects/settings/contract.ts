import { service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  integer,
  list,
  nullable,
  optional,
  pattern,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { Project } from '../contract.ts'
import { propertyNamePattern, settingsLimits, systemPattern } from './rules.ts'

const PropertyName = pattern(propertyNamePattern, settingsLimits.propertyName, 'support.phone')
const System = pattern(systemPattern, 40, 'firebase')
const ExternalId = text(settingsLimits.externalId, 1)
const Property = shape({
  name: PropertyName,
  value: text(settingsLimits.propertyValue),
  updatedBy: Id,
  updatedAt: Instant,
})
const Mapping = shape({ projectId: Id, system: System, externalId: ExternalId, createdBy: Id, createdAt: Instant })
const Properties = shape({ projectId: Id, list: list(Property), revision: Revision })

/** What a team writes down about a project. */
export const projectSettings = service({
  name: 'ground/projects',
  prefix: '/cpms/project-management-service/v1',
  zone: 'home',
  permissions: ['projects.read', 'projects.edit'],
  errors: {
    tooManyProperties: [201030020, 422, 'A project has at most {limit} properties; remove one first.'],
    mappedElsewhere: [
      201030021,
      409,
      '{system} {externalId} belongs to the project {projectId} already; remove it there.',
    ],
    tooManyMappings: [201030022, 422, 'A project has at most {limit} mappings; remove one first.'],
  },
  calls: {
    getProperties: {
      method: 'GET',
      path: '/project-property',
      who: 'cp',
      may: 'projects.read',
      summary: 'The properties of a project, by name',
      query: shape({ projectId: Id, name: optional(PropertyName) }),
      answer: Properties,
    },
    setProperties: {
      method: 'PUT',
      path: '/project-property',
      who: 'cp',
      may: 'projects.edit',
      summary: 'Sets properties, and removes those whose value is null; others stay',
      body: shape({
        projectId: Id,
        properties: Type.Array(shape({ name: PropertyName, value: nullable(text(settingsLimits.propertyValue)) }), {
          minItems: 1,
          maxItems: settingsLimits.properties,
        }),
        revision: Revision,
      }),
      answer: Properties,
    },
    listMappings: {
      method: 'GET',
      path: '/project-mappings',
      who: 'cp',
      may: 'projects.read',
      summary: 'What projects are called in other systems; of one project, or the one that has an id there',
      query: shape({ projectId: optional(Id), system: optional(System), externalId: optional(ExternalId) }),
      answer: shape({ total: integer(0, 10_000), list: list(Mapping) }),
    },
    changeMappings: {
      method: 'POST',
      path: '/project-mappings',
      who: 'cp',
      may: 'projects.edit',
      summary: 'Adds and removes what a project is called in other systems',
      body: shape({
        projectId: Id,
        add: optional(Type.Array(shape({ system: System, externalId: ExternalId }), { maxItems: 20 })),
        remove: optional(Type.Array(shape({ system: System, externalId: ExternalId }), { maxItems: 20 })),
      }),
      answer: shape({ total: integer(0, 10_000), list: list(Mapping) }),
    },
    getTeamProject: {
      method: 'GET',
      path: '/tenantProject',
      who: 'cp',
      may: 'projects.read',
      summary: 'The project that cloud services take when none is named; null where the team chose none',
      answer: shape({ project: nullable(Project) }),
    },
    setTeamProject: {
      method: 'POST',
      path: '/tenantProject',
      who: 'cp',
      may: 'projects.edit',
      summary: 'Chooses the project that cloud services take when none is named',
      body: shape({ projectId: Id }),
      answer: shape({ project: nullable(Project) }),
    },
  },
})
