import { service } from '../../../../kernel/contract.ts'
import {
  AnyJson,
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
import { Definition, Outcome, orchestrationPermissions, Trace } from '../contract.ts'
import { processActions, processNamePattern, processStates } from '../rules.ts'

const Name = pattern(processNamePattern, 60, 'getHomePageInfo')
const State = oneOf(processStates)
const params = shape({ definitionId: Name, processId: Name })
const Problems = list(shape({ pointer: Type.String(), rule: Type.String(), message: Type.String() }))

const VersionHead = {
  versionId: Id,
  version: integer(1, 1_000_000),
  state: State,
  origin: oneOf(['shipped', 'staff']),
  note: Type.String(),
  createdBy: nullable(Type.String()),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
  allowedActions: list(oneOf(processActions)),
}
const Version = shape({ ...VersionHead, definition: Definition })
const Row = shape({
  definitionId: Name,
  processId: Name,
  title: Type.String(),
  state: State,
  version: integer(1, 1_000_000),
  hasDraft: flag(),
  sameAs: nullable(Type.String()),
  /** Processes that refer to this one. */
  usedBy: list(Type.String()),
  steps: integer(0, 50),
  writes: flag(),
  updatedAt: Instant,
})

export const processDesk = service({
  name: 'ground/orchestration',
  prefix: '/orchestration/v1/manage',
  zone: 'home',
  permissions: orchestrationPermissions,
  errors: {},
  calls: {
    listProcesses: {
      method: 'GET',
      path: '/processes',
      who: 'manage',
      may: 'orchestration.read',
      summary: 'All processes with their state and where they are used',
      query: shape({ ...PageQuery, search: optional(text(100)), state: optional(State) }),
      answer: pageOf(Row),
    },
    getProcess: {
      method: 'GET',
      path: '/processes/:definitionId/:processId',
      who: 'manage',
      may: 'orchestration.read',
      summary: 'A process with all its versions, the newest first',
      params,
      answer: shape({
        ...params.properties,
        usedBy: list(Type.String()),
        /** The definition that the newest version stands for, with what sameAs takes over. */
        effective: Definition,
        problems: Problems,
        versions: list(Version),
      }),
    },
    saveDraft: {
      method: 'PUT',
      path: '/processes/:definitionId/:processId/draft',
      who: 'manage',
      may: 'orchestration.edit',
      summary: 'Makes the draft of a process, or changes it; a name that is not there yet becomes a new process',
      params,
      body: shape({ definition: Definition, note: optional(text(300)), revision: optional(Revision) }),
      answer: shape({ version: Version, problems: Problems }),
    },
    actOnVersion: {
      method: 'POST',
      path: '/versions/:versionId/action',
      who: 'manage',
      may: 'orchestration.edit',
      summary: 'Publishes, retires or discards a version',
      params: shape({ versionId: Id }),
      body: shape({ action: oneOf(processActions), revision: Revision }),
      answer: shape({ state: nullable(State) }),
    },
    checkDefinition: {
      method: 'POST',
      path: '/check',
      who: 'manage',
      may: 'orchestration.read',
      summary: 'What would refuse a definition, each at its pointer',
      body: shape({ definition: Definition }),
      answer: shape({ problems: Problems }),
    },
    dryRun: {
      method: 'POST',
      path: '/dry-run',
      who: 'manage',
      may: 'orchestration.edit',
      summary: 'Runs a definition with the session of who asks; it really calls what it names',
      transaction: false,
      body: shape({
        definition: Definition,
        input: Type.Object({}, { additionalProperties: true }),
        teamId: optional(Id),
      }),
      answer: shape({
        ...Outcome,
        trace: list(Trace),
        refusal: nullable(
          shape({ code: Type.Integer(), status: Type.Integer(), message: Type.String(), fields: optional(AnyJson) }),
        ),
      }),
    },
    listCalls: {
      method: 'GET',
      path: '/calls',
      who: 'manage',
      may: 'orchestration.read',
      summary: 'Calls that a step can make, by a part of their name or address',
      query: shape({ ...PageQuery, search: optional(text(100)) }),
      answer: pageOf(
        shape({
          service: Type.String(),
          name: Type.String(),
          method: Type.String(),
          path: Type.String(),
          who: Type.String(),
          may: Type.String(),
          summary: Type.String(),
        }),
      ),
    },
  },
})
