import { service } from '../../../kernel/contract.ts'
import type { ErrorRow } from '../../../kernel/errors.ts'
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
  type Static,
  shape,
  Type,
  text,
} from '../../../kernel/shape.ts'
import { RuleShape } from '../../../kernel/targeting/rule.ts'
import { keyPattern, kinds, limits, staleReasons, tagColors, valueTypes } from './rules.ts'

/** Whose template: of the apps, or of the project's own servers. */
export const Where = { projectId: Id, kind: oneOf(kinds) }
export const Count = integer(0, Number.MAX_SAFE_INTEGER)
export const Name = text(limits.nameLength, 1)
const Key = pattern(keyPattern, limits.keyLength, 'welcome_text')
const Description = text(limits.descriptionLength)

export const ValueShape = Type.Union([
  shape({ value: text(limits.valueChars) }),
  shape({ useInAppDefault: Type.Literal(true) }),
])
const Schema = nullable(Type.Record(Type.String(), AnyJson))

export const ConditionShape = shape({
  name: Name,
  rule: RuleShape,
  tagColor: oneOf(tagColors),
  seed: text(64, 1),
  description: Description,
})

export const ParameterShape = shape({
  valueType: oneOf(valueTypes),
  schema: Schema,
  default: ValueShape,
  conditional: Type.Record(Type.String(), ValueShape),
  group: nullable(text(limits.groupLength)),
  description: Description,
  owner: nullable(text(limits.ownerLength)),
  expiresAt: nullable(Instant),
})

const GroupShape = shape({ description: Description })

export const TemplateShape = shape({
  conditions: list(ConditionShape),
  parameters: Type.Record(Type.String(), ParameterShape),
  groups: Type.Record(Type.String(), GroupShape),
})

const fields = ParameterShape.properties
/** What is left out is empty: no schema, no conditions, no group. */
const ParameterWish = {
  valueType: fields.valueType,
  schema: optional(Schema),
  default: ValueShape,
  conditional: optional(fields.conditional),
  group: optional(fields.group),
  description: optional(Description),
  owner: optional(fields.owner),
  expiresAt: optional(fields.expiresAt),
}

const changes = ['none', 'added', 'changed'] as const
export const Parameter = shape({
  key: text(limits.keyLength),
  ...fields,
  /** Beside what is in force. */
  change: oneOf(changes),
  /** The rollouts that give some units another value, by whose value they replace; null is the default. */
  rollouts: list(
    shape({
      rolloutId: Id,
      name: Name,
      condition: nullable(Name),
      value: text(limits.valueChars),
      percent: Type.Number(),
    }),
  ),
  isExpired: flag(),
  /** Of what is in force: not read by any client for 30 days, or one value for everybody for 90. */
  stale: nullable(oneOf(staleReasons)),
  revision: Revision,
})
export const Condition = shape({
  ...ConditionShape.properties,
  /** How many parameters it decides about. */
  parameters: Count,
  place: Count,
  change: oneOf(changes),
  revision: Revision,
})

const ProblemShape = shape({
  pointer: text(600),
  fault: oneOf(['key', 'value', 'condition', 'limit', 'rule', 'schema']),
  message: text(1_000),
})
export const Check = shape({ ok: flag(), problems: list(ProblemShape) })

export const DifferenceShape = shape({
  thing: oneOf(['parameter', 'condition', 'order', 'group']),
  name: text(300),
  change: oneOf(['added', 'changed', 'removed']),
  before: AnyJson,
  after: AnyJson,
})

export const Head = shape({
  ...Where,
  /** The version in force; 0 before the first. */
  version: Count,
  etag: text(80),
  publishedAt: nullable(Instant),
  /** The version that the draft began with; below `version` where somebody published meanwhile. */
  baseVersion: Count,
  isChanged: flag(),
  parameters: Count,
  conditions: Count,
  groups: list(shape({ name: text(limits.groupLength), description: Description, parameters: Count })),
  valueChars: Count,
  /** How many others must agree before it is published. */
  approvalsNeeded: Count,
  updatedAt: nullable(Instant),
  revision: Count,
})

export const remoteConfigErrors = {
  zoneElsewhere: [204140003, 422, 'The project keeps its data in {zone}; ask there.'],
  badKey: [204141001, 400, '{message}.'],
  conditionInUse: [204141002, 409, 'The condition {name} decides about {users}; take it out there first.'],
  valueFails: [204141003, 400, '{message}.'],
  limit: [204140023, 422, 'That is more than fits: {message}.'],
  etagMoved: [204140012, 412, 'Version {version} is in force now; look at what changed meanwhile, then publish again.'],
  notValid: [204141004, 422, 'The template has {count} faults, the first at {pointer}: {message}.'],
  keyTaken: [204141005, 409, 'There is a parameter {key} already.'],
  nameTaken: [204141006, 409, 'There is a condition {name} already.'],
  etagMissing: [204141007, 428, 'Send the ETag of the template that you read as If-Match.'],
  notThere: [204141008, 400, 'The {thing} {name} is not there; make it first.'],
  unreadable: [204141009, 400, 'The file cannot be read as {format}: {reason}.'],
  unchanged: [204141010, 409, 'The draft is what is in force; there is nothing to publish.'],
  orderUnclear: [204141011, 400, 'The order must name conditions that are there, each once: {name}.'],
  attributeTaken: [204141012, 409, 'There is an attribute {name} already.'],
  tooEarly: [204141013, 400, 'The time to publish must be ahead, not {at}.'],
  approvalsNeeded: [
    204141014,
    422,
    'Here {needed} others must agree first; make a change request. {permission} with If-Match * publishes without them.',
  ],
  approvalsNeededToShip: [
    204141019,
    422,
    'Here {needed} others must agree before values are published; whoever has {permission} ships without them and says why.',
  ],
  parameterTaken: [204141020, 409, 'The parameter {parameter} is under the {thing} {name} already; end that first.'],
  tooManyRunning: [
    204141021,
    422,
    '{count} experiments and rollouts of the project run already, of {limit}; end one first.',
  ],
  notJudged: [
    204141022,
    409,
    'There is nothing to judge: the rollout has no guardrails or signals, or nobody or everybody is in.',
  ],
  othersMustAgree: [
    204141023,
    422,
    'Here {needed} others must agree first; ask them, or give a reason where you hold {permission}.',
  ],
  othersAsked: [204141024, 409, 'Others are asked about its {what}; wait for them, or take that back first.'],
  notOther: [204141015, 403, 'Who wrote a change does not decide about it; somebody else must.'],
  votedAlready: [204141016, 409, 'You agreed already; another person must.'],
  reasonMissing: [204141017, 400, 'Say why, so that the author knows what to change.'],
  notEnough: [204141018, 422, '{approvals} of {needed} have agreed.'],
  notYetHere: [204140503, 503, 'Version {version} is not here yet; try again in {retryAfterSeconds} s.'],
  badContext: [204140001, 400, 'What the app says of itself cannot be read: {reason}.'],
} as const satisfies Record<string, ErrorRow>

const base = { who: 'cp' } as const
const read = { ...base, may: 'remoteConfig.read' } as const
const edit = { ...base, may: 'remoteConfig.edit' } as const
const byKey = shape({ key: text(limits.keyLength, 1) })
const byName = shape({ name: Name })
const byGroup = shape({ group: text(limits.groupLength, 1) })

/** The template that people work on: parameters, conditions, groups. Nothing of it reaches apps before it is published. */
export const remoteConfig = service({
  name: 'grow/remote-config',
  prefix: '/rcs/v1',
  zone: 'current',
  permissions: ['remoteConfig.read', 'remoteConfig.edit', 'remoteConfig.publish', 'remoteConfig.force'],
  errors: remoteConfigErrors,
  calls: {
    getHead: {
      ...read,
      method: 'GET',
      path: '/draft',
      summary: 'Which version is in force, and whether something waits to be published',
      query: shape(Where),
      answer: Head,
    },
    listParameters: {
      ...read,
      method: 'GET',
      path: '/parameters',
      summary: 'The parameters of the draft by key, with their values under each condition',
      query: shape({
        ...Where,
        ...PageQuery,
        /** A part of key, description or value. */
        search: optional(text(100)),
        group: optional(text(limits.groupLength)),
        valueType: optional(oneOf(valueTypes)),
        condition: optional(Name),
        show: optional(oneOf(['all', 'changed', 'expired', 'stale'])),
      }),
      answer: pageOf(Parameter),
    },
    createParameter: {
      ...edit,
      method: 'POST',
      path: '/parameters',
      summary: 'Adds a parameter to the draft',
      body: shape({ ...Where, key: Key, ...ParameterWish }),
      bodyLimit: 2 * limits.valueChars,
      answer: Parameter,
    },
    getParameter: {
      ...read,
      method: 'GET',
      path: '/parameters/:key',
      summary: 'A parameter of the draft',
      params: byKey,
      query: shape(Where),
      answer: Parameter,
    },
    updateParameter: {
      ...edit,
      method: 'PUT',
      path: '/parameters/:key',
      summary: 'Changes a parameter of the draft; with another key it is renamed',
      params: byKey,
      body: shape({ ...Where, newKey: optional(Key), ...ParameterWish, revision: Revision }),
      bodyLimit: 2 * limits.valueChars,
      answer: Parameter,
    },
    deleteParameter: {
      ...edit,
      method: 'DELETE',
      path: '/parameters/:key',
      summary: 'Takes a parameter out of the draft',
      params: byKey,
      query: shape(Where),
    },
    listConditions: {
      ...read,
      method: 'GET',
      path: '/conditions',
      summary: 'The conditions of the draft in their order: the first that holds decides',
      query: shape({ ...Where, ...PageQuery, search: optional(text(100)) }),
      answer: pageOf(Condition),
    },
    createCondition: {
      ...edit,
      method: 'POST',
      path: '/conditions',
      summary: 'Adds a condition behind the others',
      body: shape({
        ...Where,
        name: Name,
        rule: RuleShape,
        tagColor: optional(oneOf(tagColors)),
        description: optional(Description),
      }),
      answer: Condition,
    },
    getCondition: {
      ...read,
      method: 'GET',
      path: '/conditions/:name',
      summary: 'A condition of the draft',
      params: byName,
      query: shape(Where),
      answer: Condition,
    },
    updateCondition: {
      ...edit,
      method: 'PUT',
      path: '/conditions/:name',
      summary: 'Changes a condition; with another name it is renamed wherever it stands. Its seed stays',
      params: byName,
      body: shape({
        ...Where,
        newName: optional(Name),
        rule: RuleShape,
        tagColor: optional(oneOf(tagColors)),
        description: optional(Description),
        revision: Revision,
      }),
      answer: Condition,
    },
    deleteCondition: {
      ...edit,
      method: 'DELETE',
      path: '/conditions/:name',
      summary: 'Takes a condition out; refused while something names it, unless `force` takes its values out, too',
      params: byName,
      query: shape({ ...Where, force: optional(flag()) }),
    },
    orderConditions: {
      ...edit,
      method: 'POST',
      path: '/conditions/order',
      summary: 'Puts conditions into an order; those that are not named stay where they are',
      body: shape({ ...Where, names: Type.Array(Name, { maxItems: limits.conditions }) }),
    },
    putGroup: {
      ...edit,
      method: 'PUT',
      path: '/groups/:group',
      summary: 'Makes a group of parameters, describes or renames it',
      params: byGroup,
      body: shape({
        ...Where,
        description: optional(Description),
        newName: optional(text(limits.groupLength, 1)),
      }),
    },
    deleteGroup: {
      ...edit,
      method: 'DELETE',
      path: '/groups/:group',
      summary: 'Takes a group away; its parameters stay',
      params: byGroup,
      query: shape(Where),
    },
    listDraftChanges: {
      ...read,
      method: 'GET',
      path: '/draft/changes',
      summary: 'What publishing the draft would change',
      query: shape({ ...Where, ...PageQuery }),
      answer: pageOf(DifferenceShape),
    },
    checkDraft: {
      ...read,
      method: 'GET',
      path: '/draft/check',
      summary: 'What keeps the draft from being published',
      query: shape(Where),
      answer: Check,
    },
    rebaseDraft: {
      ...edit,
      method: 'POST',
      path: '/draft/rebase',
      summary: 'Puts what the draft changes onto the version in force; says which side wins where both changed a thing',
      body: shape({ ...Where, prefer: oneOf(['mine', 'theirs']) }),
      answer: Head,
    },
    discardDraft: {
      ...edit,
      method: 'DELETE',
      path: '/draft',
      summary: 'Drops what was not published',
      query: shape(Where),
      answer: Head,
    },
  },
})

export type HeadView = Static<typeof Head>
export type ParameterView = Static<typeof Parameter>
export type ConditionView = Static<typeof Condition>
export type DifferenceView = Static<typeof DifferenceShape>
