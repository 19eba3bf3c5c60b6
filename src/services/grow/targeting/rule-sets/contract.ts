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
  type Static,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { RuleShape } from '../../../../kernel/targeting/rule.ts'
import { limits } from '../rules.ts'

const Code = pattern(limits.codePattern, 64, 'checkout.offers')
const Version = integer(1, 2_147_483_647)

const SetRule = shape({
  ruleId: Type.String(),
  name: Type.String(),
  isOn: flag(),
  rule: RuleShape,
  payload: AnyJson,
})

export const RuleSetView = shape({
  ruleSetId: Id,
  projectId: Id,
  code: Type.String(),
  name: Type.String(),
  description: Type.String(),
  isChanged: flag(),
  publishedVersion: integer(0, 2_147_483_647),
  ruleCount: integer(0, limits.rulesOfSet),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
})
export type RuleSetView = Static<typeof RuleSetView>

const WholeRuleSet = shape({ ...RuleSetView.properties, draft: list(SetRule), published: list(SetRule) })
export type WholeRuleSet = Static<typeof WholeRuleSet>
export type SetRule = Static<typeof SetRule>

const DraftRule = shape({
  /** Left out for a new one. */
  ruleId: optional(Id),
  name: text(limits.nameLength, 1),
  isOn: flag(),
  rule: RuleShape,
  payload: AnyJson,
})

const Matched = shape({ ruleId: Type.String(), priority: integer(1, limits.rulesOfSet), payload: AnyJson })
const of = shape({ ruleSetId: Id })

/** Versioned lists of rules with payloads: who calls sends a context and gets those that match. */
export const ruleSets = service({
  name: 'grow/targeting',
  prefix: '/mms/targeting-service/v1',
  zone: 'current',
  permissions: ['targeting.read', 'targeting.edit', 'targeting.publish'],
  errors: {
    codeTaken: [204300001, 409, 'The team has a rule set with the code {code} already; give this one another.'],
    unknownCode: [204300002, 404, 'There is no rule set with the code {code} here.'],
    notPublished: [204300003, 409, 'Nothing of the rule set {code} is published; publish it first.'],
    nothingToPublish: [204300004, 409, 'The draft is what is published already.'],
    unknownVersion: [204300005, 404, 'Version {version} is not kept, or is the published one; choose an older one.'],
    tooManyRuleSets: [204300006, 422, 'A project has at most {limit} rule sets; delete one first.'],
  },
  calls: {
    matchRules: {
      method: 'PUT',
      path: '/rule/match',
      who: 'cp',
      may: 'targeting.read',
      summary: 'The published rules of a set that match a context, by priority; with explain also why or why not',
      body: shape({
        ruleSetCode: Code,
        context: Type.Record(Type.String(), AnyJson, { maxProperties: limits.attributes }),
        explain: optional(flag()),
      }),
      answer: shape({
        version: Version,
        matched: list(Matched),
        first: nullable(Matched),
        explained: optional(
          list(
            shape({
              ruleId: Type.String(),
              priority: integer(1, limits.rulesOfSet),
              outcome: oneOf(['true', 'false', 'missing']),
              /** The rule again as a tree: each node with its outcome, each leaf with what the context has. */
              why: AnyJson,
            }),
          ),
        ),
      }),
    },
    listRuleSets: {
      method: 'GET',
      path: '/rule-sets',
      who: 'cp',
      may: 'targeting.read',
      summary: 'The rule sets of a project, the newest first; by a part of code or name',
      query: shape({ projectId: Id, search: optional(text(100)), ...PageQuery }),
      answer: pageOf(RuleSetView),
    },
    createRuleSet: {
      method: 'POST',
      path: '/rule-sets',
      who: 'cp',
      may: 'targeting.edit',
      summary: 'Makes a rule set without rules',
      body: shape({
        projectId: Id,
        code: Code,
        name: text(limits.nameLength, 1),
        description: optional(text(limits.textLength)),
      }),
      answer: WholeRuleSet,
    },
    getRuleSet: {
      method: 'GET',
      path: '/rule-sets/:ruleSetId',
      who: 'cp',
      may: 'targeting.read',
      summary: 'A rule set with its draft and what is published',
      params: of,
      answer: WholeRuleSet,
    },
    saveRuleSet: {
      method: 'PUT',
      path: '/rule-sets/:ruleSetId',
      who: 'cp',
      may: 'targeting.edit',
      summary: 'Keeps name, text and draft; nothing is published by it',
      params: of,
      body: shape({
        name: optional(text(limits.nameLength, 1)),
        description: optional(text(limits.textLength)),
        draft: optional(list(DraftRule, { maxItems: limits.rulesOfSet })),
        revision: Revision,
      }),
      answer: WholeRuleSet,
    },
    publishRuleSet: {
      method: 'POST',
      path: '/rule-sets/:ruleSetId/publish',
      who: 'cp',
      may: 'targeting.publish',
      summary: 'Makes the draft a version that is in force with the next call',
      params: of,
      body: shape({ note: optional(text(limits.textLength)), revision: Revision }),
      answer: WholeRuleSet,
    },
    listRuleSetVersions: {
      method: 'GET',
      path: '/rule-sets/:ruleSetId/versions',
      who: 'cp',
      may: 'targeting.read',
      summary: 'What was published, the newest first',
      params: of,
      query: shape({ ...PageQuery }),
      answer: pageOf(
        shape({
          version: Version,
          note: Type.String(),
          rollbackSource: nullable(Version),
          ruleCount: integer(0, limits.rulesOfSet),
          publishedAt: Instant,
          publishedBy: Type.String(),
          rules: list(SetRule),
        }),
      ),
    },
    rollBackRuleSet: {
      method: 'POST',
      path: '/rule-sets/:ruleSetId/rollback',
      who: 'cp',
      may: 'targeting.publish',
      summary: 'Publishes an older version again, as a new one; the draft becomes the same',
      params: of,
      body: shape({ version: Version, revision: Revision }),
      answer: WholeRuleSet,
    },
    deleteRuleSet: {
      method: 'DELETE',
      path: '/rule-sets/:ruleSetId',
      who: 'cp',
      may: 'targeting.publish',
      summary: 'Removes a rule set with its versions; who asks by its code is refused from then on',
      params: of,
    },
  },
})
