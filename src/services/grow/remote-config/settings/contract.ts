import { service } from '../../../../kernel/contract.ts'
import {
  AnyJson,
  Id,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  PageQuery,
  pageOf,
  pattern,
  Revision,
  type Static,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { changeLimits } from '../change-requests/rules.ts'
import { Count, remoteConfigErrors, Where } from '../contract.ts'
import { attributePattern, attributeTypes, limits } from '../rules.ts'

const attributeName = pattern(attributePattern, 100, 'user.plan')

const AttributeShape = shape({
  name: attributeName,
  type: oneOf(attributeTypes),
  /** What the client finds out itself, what is known of the user, what the app says. */
  source: oneOf(['SYSTEM', 'USER', 'SIGNAL']),
  description: text(limits.descriptionLength),
})

const Settings = shape({
  projectId: Id,
  /** How long apps keep what they fetched before they ask again; debug builds ask at once. */
  minFetchIntervalSec: integer(0, 604_800),
  /** How many others must agree before something is published. */
  approvals: integer(0, changeLimits.mostApprovals),
  revision: nullable(Revision),
})

const Evaluated = shape({
  templateVersion: Count,
  list: list(
    shape({
      key: text(limits.keyLength),
      value: nullable(text(limits.valueChars)),
      isInAppDefault: Type.Boolean(),
      condition: nullable(text(limits.nameLength)),
      /** What drew lots about it. */
      experiment: nullable(shape({ experimentId: Id, name: text(limits.nameLength), variant: text(64) })),
      /** Name of the rollout that gave the value. */
      rollout: nullable(text(limits.nameLength)),
    }),
  ),
  total: Count,
  nextCursor: nullable(text(200)),
  /** What each condition came to, and why; with a key, those that it asks. */
  conditions: list(shape({ name: text(limits.nameLength), isTrue: Type.Boolean(), explained: AnyJson })),
})

const read = { who: 'cp', may: 'remoteConfig.read' } as const
const edit = { who: 'cp', may: 'remoteConfig.edit' } as const

/** How apps ask, what they may say of themselves, and what somebody would get. */
export const remoteConfigSettings = service({
  name: 'grow/remote-config',
  prefix: '/rcs/v1',
  zone: 'current',
  permissions: ['remoteConfig.read', 'remoteConfig.edit', 'remoteConfig.publish', 'remoteConfig.force'],
  errors: remoteConfigErrors,
  calls: {
    getSettings: {
      ...read,
      method: 'GET',
      path: '/settings',
      summary: 'How a project’s apps ask for values',
      query: shape({ projectId: Id }),
      answer: Settings,
    },
    putSettings: {
      ...edit,
      method: 'PUT',
      path: '/settings',
      summary: 'Says how a project’s apps ask for values',
      body: shape({
        ...Settings.properties,
        /** Needs remoteConfig.force: who may publish must not be able to do away with those who agree. */
        approvals: optional(Settings.properties.approvals),
        revision: optional(Revision),
      }),
      answer: Settings,
    },
    listAttributes: {
      ...read,
      method: 'GET',
      path: '/attributes',
      summary: 'What conditions may ask for: what every client says, then what the project added',
      query: shape({ projectId: Id, ...PageQuery }),
      answer: pageOf(shape({ ...AttributeShape.properties, isOwn: Type.Boolean() })),
    },
    putAttribute: {
      ...edit,
      method: 'PUT',
      path: '/attributes/:name',
      summary: 'Adds an attribute, or describes it otherwise',
      params: shape({ name: attributeName }),
      body: shape({
        projectId: Id,
        type: AttributeShape.properties.type,
        source: AttributeShape.properties.source,
        description: optional(text(limits.descriptionLength)),
      }),
      answer: AttributeShape,
    },
    deleteAttribute: {
      ...edit,
      method: 'DELETE',
      path: '/attributes/:name',
      summary: 'Takes an attribute off the list; conditions that ask for it stay',
      params: shape({ name: attributeName }),
      query: shape({ projectId: Id }),
    },
    evaluate: {
      ...read,
      method: 'POST',
      path: '/evaluate',
      summary: 'What a context would get of the draft or of what is in force, and why',
      body: shape({
        ...Where,
        context: Type.Record(Type.String(), AnyJson),
        of: oneOf(['draft', 'published']),
        key: optional(text(limits.keyLength)),
        ...PageQuery,
      }),
      answer: Evaluated,
    },
  },
})

export type EvaluatedView = Static<typeof Evaluated>
export type SettingsView = Static<typeof Settings>
