import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commonErrors } from '../../../kernel/errors.ts'
import type { Rule } from '../../../kernel/targeting/rule.ts'
import { headers } from '../../../kernel/wire.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { projects } from '../../ground/projects/contract.ts'
import { ruleSets } from './rule-sets/contract.ts'
import { fixedAudience } from './targeting.testkit.ts'

let stage: Stage
let person: Person
let projectId: string
beforeAll(async () => {
  stage = await openStage()
  person = await stage.person()
  projectId = (await person.ok(projects, 'createProject', { body: { name: 'Targeted' } })).projectId
})
afterAll(() => stage.close())

const german: Rule = { attr: 'country', op: 'eq', value: 'DE' }
let made = 0
const draftRule = (rule: Rule, payload: unknown = null, name = `Rule ${++made}`) => ({
  name,
  isOn: true,
  rule,
  payload,
})

async function newSet(...rules: ReturnType<typeof draftRule>[]) {
  const set = await person.ok(ruleSets, 'createRuleSet', { body: { projectId, code: `set-${++made}`, name: 'Set' } })
  if (rules.length === 0) return set
  const params = { ruleSetId: set.ruleSetId }
  return person.ok(ruleSets, 'saveRuleSet', { params, body: { draft: rules, revision: set.revision } })
}

async function published(...rules: ReturnType<typeof draftRule>[]) {
  const { ruleSetId, revision } = await newSet(...rules)
  return person.ok(ruleSets, 'publishRuleSet', { params: { ruleSetId }, body: { revision } })
}

const match = (ruleSetCode: string, context: Record<string, unknown>, explain = false) =>
  person.ok(ruleSets, 'matchRules', { body: { ruleSetCode, context, explain } })

const fixed = (csv: string) => fixedAudience(stage, person, projectId, csv)

describe('PUT /rule/match', () => {
  it('answers the rules that match by priority, the first one apart', async () => {
    const { code, published: rules } = await published(
      draftRule(german, { banner: 'Hallo' }),
      draftRule({ attr: 'plan', op: 'eq', value: 'paid' }, 'second'),
      draftRule({ op: 'and', args: [] }, 3),
      { ...draftRule({ op: 'and', args: [] }, 'off'), isOn: false },
    )
    const answer = await match(code, { country: 'DE' })
    expect(answer.matched).toEqual([
      { ruleId: rules[0]?.ruleId, priority: 1, payload: { banner: 'Hallo' } },
      { ruleId: rules[2]?.ruleId, priority: 3, payload: 3 },
    ])
    expect(answer.first).toEqual(answer.matched[0])
    expect(answer).not.toHaveProperty('explained')
  })

  it('says why with explain, also of what did not match', async () => {
    const { code } = await published(draftRule({ op: 'and', args: [german, { attr: 'age', op: 'gte', value: 18 }] }))
    const { matched, first, explained } = await match(code, { country: 'DE' }, true)
    expect([matched, first]).toEqual([[], null])
    expect(explained).toMatchObject([
      { outcome: 'missing', why: { args: [{ outcome: 'true', actual: 'DE' }, { outcome: 'missing' }] } },
    ])
  })

  it('draws by percent as everybody else does', async () => {
    const percent = (lo: number, hi: number): Rule => ({
      attr: 'userId',
      op: 'percent',
      value: { ns: 'rollout', seed: 'abc', unitAttr: 'userId', lo, hi },
    })
    const { code } = await published(draftRule(percent(0, 13), 'low'), draftRule(percent(13, 14), 'there'))
    expect((await match(code, { userId: 'user-1' })).first?.payload).toBe('there')
    expect((await match(code, {})).first).toBe(null)
  })

  it('asks audiences by the unit of the context', async () => {
    const audienceId = await fixed('ann\nbob\n')
    const isIn: Rule = { attr: 'userId', op: 'inAudience', value: audienceId }
    const { code } = await published(
      draftRule(isIn, 'in'),
      draftRule({ attr: 'userId', op: 'ninAudience', value: audienceId }, 'out'),
    )
    expect((await match(code, { userId: 'ann' })).first?.payload).toBe('in')
    expect((await match(code, { userId: ' ann ' })).first?.payload).toBe('in')
    expect((await match(code, { userId: 'eve' })).first?.payload).toBe('out')
    expect((await match(code, {})).first).toBe(null)
  })

  it('refuses codes that nobody published, of nobody, and of other teams', async () => {
    const { code } = await newSet(draftRule(german))
    const ask = (who: Person, ruleSetCode: string) =>
      who.call(ruleSets, 'matchRules', { body: { ruleSetCode, context: {} } })
    expect((await ask(person, code)).body.ret.code).toBe(ruleSets.errors.notPublished[0])
    expect((await ask(person, 'nobody')).status).toBe(404)
    const own = (await published(draftRule(german))).code
    expect((await ask(await stage.person(), own)).status).toBe(404)
  })

  it('takes no context beyond its bounds, and no prototype', async () => {
    const { code } = await published(draftRule({ attr: 'toString', op: 'exists', value: true }, 1))
    expect((await match(code, {})).matched).toEqual([])
    expect((await match(code, { toString: 'x' })).first?.payload).toBe(1)
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`a${at}`, at]))
    const send = (context: unknown) =>
      person.call(ruleSets, 'matchRules', { body: { ruleSetCode: code, context: context as Record<string, unknown> } })
    expect((await send(many)).status).toBe(400)
    expect((await send('x')).status).toBe(400)
    expect((await send({ a: 'x'.repeat(10_000_000) })).status).toBe(413)
    const raw = await stage.app.inject({
      method: 'PUT',
      url: '/mms/targeting-service/v1/rule/match',
      headers: {
        cookie: person.cookie,
        [headers.csrf]: person.csrfToken,
        [headers.team]: person.teamId,
        'content-type': 'application/json',
      },
      payload: `{"ruleSetCode":"${code}","context":{"__proto__":{"constructor":"x"}}}`,
    })
    expect(raw.statusCode).toBe(400)
    expect((await send({ constructor: { prototype: 1 } })).status).toBe(400)
  })
})

describe('a rule set', () => {
  it('keeps a draft beside what is in force, and has no draft twice', async () => {
    const set = await published(draftRule(german, 'old'))
    const params = { ruleSetId: set.ruleSetId }
    const draft = set.draft.map(one => ({ ...one, payload: 'new' }))
    const saved = await person.ok(ruleSets, 'saveRuleSet', { params, body: { draft, revision: set.revision } })
    expect([saved.isChanged, saved.draft[0]?.ruleId]).toEqual([true, set.draft[0]?.ruleId])
    expect((await match(set.code, { country: 'DE' })).first?.payload).toBe('old')
    const again = await person.ok(ruleSets, 'saveRuleSet', {
      params,
      body: { draft: set.draft, revision: saved.revision },
    })
    expect(again.isChanged).toBe(false)
    const reply = await person.call(ruleSets, 'publishRuleSet', { params, body: { revision: again.revision } })
    expect(reply.body.ret.code).toBe(ruleSets.errors.nothingToPublish[0])
  })

  it('goes back to an older version as a new one', async () => {
    const first = await published(draftRule(german, 'one'))
    const params = { ruleSetId: first.ruleSetId }
    const draft = [draftRule(german, 'two')]
    const saved = await person.ok(ruleSets, 'saveRuleSet', { params, body: { draft, revision: first.revision } })
    const second = await person.ok(ruleSets, 'publishRuleSet', {
      params,
      body: { note: 'Two', revision: saved.revision },
    })
    expect((await match(first.code, { country: 'DE' })).first?.payload).toBe('two')
    const third = await person.ok(ruleSets, 'rollBackRuleSet', {
      params,
      body: { version: 1, revision: second.revision },
    })
    expect([third.publishedVersion, third.isChanged]).toEqual([3, false])
    expect((await match(first.code, { country: 'DE' })).first?.payload).toBe('one')
    const { list, total } = await person.ok(ruleSets, 'listRuleSetVersions', { params })
    expect([total, list.map(one => [one.version, one.note, one.rollbackSource])]).toEqual([
      3,
      [
        [3, '', 1],
        [2, 'Two', null],
        [1, '', null],
      ],
    ])
    const gone = await person.call(ruleSets, 'rollBackRuleSet', {
      params,
      body: { version: 3, revision: third.revision },
    })
    expect(gone.body.ret.code).toBe(ruleSets.errors.unknownVersion[0])
  })

  it('refuses rules with problems by their place', async () => {
    const { ruleSetId, revision } = await newSet()
    let deep: unknown = german
    for (let depth = 0; depth < 10; depth++) deep = { op: 'not', args: [deep] }
    const sent: [unknown, string][] = [
      [{ attr: 'a', op: 'regex', value: '(a+)+\\1' }, '/draft/0/rule/value'],
      [{ op: 'or', args: [{ attr: 'ip', op: 'cidr', value: 'x' }] }, '/draft/0/rule/args/0/value'],
      [deep, `/draft/0/rule${'/args/0'.repeat(10)}`],
      [{ op: 'or', args: new Array(201).fill(german) }, '/draft/0/rule'],
      [{ attr: 'u', op: 'inAudience', value: '77' }, '/draft/0/rule'],
    ]
    for (const [rule, pointer] of sent) {
      const body = { draft: [draftRule(rule as Rule)], revision }
      const reply = await person.call(ruleSets, 'saveRuleSet', { params: { ruleSetId }, body })
      expect([reply.status, reply.body.fields?.map(one => one.pointer)]).toEqual([400, [pointer]])
    }
  })

  it('has its code once in a team, is found by it, and refuses a stale write', async () => {
    const { code, ruleSetId } = await newSet()
    const twice = await person.call(ruleSets, 'createRuleSet', { body: { projectId, code, name: 'Again' } })
    expect(twice.body.ret.code).toBe(ruleSets.errors.codeTaken[0])
    const { list } = await person.ok(ruleSets, 'listRuleSets', { query: { projectId, search: code } })
    expect(list.map(one => one.ruleSetId)).toContain(ruleSetId)
    const stale = await person.call(ruleSets, 'saveRuleSet', {
      params: { ruleSetId },
      body: { name: 'x', revision: 9 },
    })
    expect([stale.status, stale.body.ret.code]).toEqual([409, commonErrors.stale[0]])
    await person.ok(ruleSets, 'deleteRuleSet', { params: { ruleSetId } })
    expect((await person.call(ruleSets, 'getRuleSet', { params: { ruleSetId } })).status).toBe(404)
  })
})
