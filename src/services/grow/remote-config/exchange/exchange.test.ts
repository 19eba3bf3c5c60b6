import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { openConfig } from '../config.testkit.ts'
import { remoteConfig, remoteConfigErrors } from '../contract.ts'
import { remoteConfigSettings } from '../settings/contract.ts'
import { remoteConfigExchange } from './contract.ts'
import { fromFirebase } from './firebase-expression.ts'

describe('a condition of Firebase', () => {
  it.each([
    ["device.country in ['CN', 'DE']", { attr: 'device.country', op: 'in', value: ['CN', 'DE'] }],
    ["device.os == 'ios'", { attr: 'device.os', op: 'eq', value: 'ios' }],
    ["app.version.>=(['1.2'])", { attr: 'app.version', op: 'semver_gte', value: '1.2.0' }],
    ["app.build.<(['100'])", { attr: 'app.build', op: 'lt', value: 100 }],
    ["app.userProperty['plan'].exactlyMatches(['pro'])", { attr: 'user.plan', op: 'in', value: ['pro'] }],
    [
      "device.dateTime < dateTime('2030-01-01T00:00:00', 'Asia/Shanghai')",
      { attr: '$now', op: 'before', value: '2030-01-01T00:00:00', zone: 'Asia/Shanghai' },
    ],
    ['true', { op: 'and', args: [] }],
  ])('%s is a rule', (expression, rule) => {
    expect(fromFirebase(expression, 's')).toEqual({ rule, drawsAnew: false })
  })

  it('with a share is drawn anew, and says so', () => {
    const value = { ns: 'rollout', seed: 'x', unitAttr: 'targetingKey', lo: 10, hi: 20 }
    const rule = { attr: 'targetingKey', op: 'percent', value }
    expect(fromFirebase("percent('x') between 10 and 20", 's')).toEqual({ rule, drawsAnew: true })
  })

  it.each(["app.audiences.inAtLeastOne(['buyers'])", "device.os == 'ios' || true", '', "device.colour == 'red'"])(
    '%j is none, and that is told',
    expression => expect(fromFirebase(expression, 's')).toHaveProperty('reason'),
  )
})

describe('a file', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage.close())

  it('of Firebase is the draft, and what could not be taken reaches nobody and is told by name', async () => {
    const config = await openConfig(stage)
    const file = {
      conditions: [
        { name: 'ios', expression: "device.os == 'ios'", tagColor: 'GREEN' },
        { name: 'buyers', expression: "app.audiences.inAtLeastOne(['buyers'])" },
      ],
      parameters: {
        title: {
          defaultValue: { value: 'Hello' },
          conditionalValues: { ios: { value: 'Hi' }, buyers: { value: 'Thanks' } },
        },
        paid: { defaultValue: { personalizationValue: { personalizationId: 'p' } }, valueType: 'STRING' },
      },
      parameterGroups: {
        Shop: { description: 'Sold', parameters: { price: { defaultValue: { value: '1' }, valueType: 'NUMBER' } } },
      },
      version: { versionNumber: '7' },
    }
    const body = { ...config.where, format: 'firebase' as const, file, mode: 'merge' as const }
    const trial = await config.owner.ok(remoteConfigExchange, 'importTemplate', { body: { ...body, isTrial: true } })
    expect([trial.isDone, trial.parameters, trial.conditions]).toEqual([false, 3, 2])
    const report = await config.owner.ok(remoteConfigExchange, 'importTemplate', { body })
    expect(report.notMapped.map(one => `${one.thing} ${one.name}`)).toEqual([
      'condition buyers',
      'value paid / default',
    ])
    const evaluate = async (context: Record<string, unknown>) => {
      const { list } = await config.owner.ok(remoteConfigSettings, 'evaluate', {
        body: { ...config.where, of: 'draft', context },
      })
      return Object.fromEntries(list.map(one => [one.key, one.value]))
    }
    expect(await evaluate({ 'device.os': 'ios' })).toEqual({ title: 'Hi', paid: null, price: '1' })
    expect((await evaluate({})).title).toBe('Hello')
  })

  it('of Unleash is a switch for each feature', async () => {
    const config = await openConfig(stage)
    const features = [
      { name: 'on', enabled: true, strategies: [{ name: 'default' }] },
      { name: 'off', enabled: false, strategies: [{ name: 'default' }] },
      {
        name: 'new-cart',
        enabled: true,
        strategies: [
          {
            name: 'flexibleRollout',
            parameters: { rollout: '100', stickiness: 'default', groupId: 'g' },
            constraints: [{ contextName: 'country', operator: 'IN', values: ['CN'], inverted: true }],
          },
          { name: 'remoteAddress', parameters: { IPs: '127.0.0.1' } },
        ],
      },
    ]
    const report = await config.owner.ok(remoteConfigExchange, 'importTemplate', {
      body: { ...config.where, format: 'unleash', file: { version: 2, features }, mode: 'replace' },
    })
    expect(report).toMatchObject({ isDone: true, notes: [{ name: 'new_cart', note: 'RENAMED' }] })
    expect(report.notMapped.map(one => one.name)).toEqual(['off 1', 'new-cart 2'])
    const { list, conditions } = await config.owner.ok(remoteConfigSettings, 'evaluate', {
      body: { ...config.where, of: 'draft', context: { country: 'DE' } },
    })
    expect(list.map(one => [one.key, one.value])).toEqual(
      [
        ['on', 'true'],
        ['off', 'false'],
        ['new_cart', 'true'],
      ].sort(),
    )
    expect(conditions.map(one => one.isTrue)).toEqual([true, true])
  })

  it('of our own comes back as it went, and what is none is refused', async () => {
    const config = await openConfig(stage)
    await config.owner.ok(remoteConfig, 'createParameter', {
      body: { ...config.where, key: 'p', valueType: 'STRING', default: { value: 'v' } },
    })
    const { text } = await config.owner.call(remoteConfigExchange, 'exportTemplate', { query: config.where })
    const other = await openConfig(stage)
    const send = (format: 'loggia' | 'firebase', file: unknown) =>
      other.owner.call(remoteConfigExchange, 'importTemplate', {
        body: { ...other.where, format, file: file as object, mode: 'replace' },
      })
    expect((await send('loggia', JSON.parse(text))).body.isDone).toBe(true)
    const again = await other.owner.call(remoteConfigExchange, 'exportTemplate', { query: other.where })
    expect(again.text).toBe(text)
    for (const [format, file] of [
      ['loggia', { a: 1 }],
      ['firebase', []],
      ['firebase', { parameters: { a: 1 } }],
    ] as const)
      expect((await send(format, file)).body.ret.code).toBe(remoteConfigErrors.unreadable[0])
  })
})
