import { describe, expect, it } from 'vitest'
import { allowedActions, moveFor } from '../../../kernel/life-cycle.ts'
import {
  announcementActions,
  announcementCycle,
  announcementFacts,
  announcementStates,
  billboardTurnMs,
  isFeatureOnFor,
  linkPattern,
  orderKeyAfter,
  repeatedTag,
  slotsOfTurn,
  switchReason,
  teamIdsIn,
} from './rules.ts'

describe('dragging a favourite', () => {
  const rows = ['a', 'b', 'c', 'd'].map((serviceId, at) => ({ serviceId, orderKey: `${at + 1}` }))
  const moved = (serviceId: string, after: string | null) => {
    const orderKey = orderKeyAfter(rows, serviceId, after)
    return rows
      .map(row => (row.serviceId === serviceId && orderKey !== null ? { serviceId, orderKey } : row))
      .toSorted((one, other) => (one.orderKey < other.orderKey ? -1 : 1))
      .map(row => row.serviceId)
      .join('')
  }

  it.each([
    ['a', null, 'abcd'],
    ['b', null, 'bacd'],
    ['d', null, 'dabc'],
    ['a', 'b', 'bacd'],
    ['a', 'd', 'bcda'],
    ['b', 'c', 'acbd'],
    ['c', 'a', 'acbd'],
    ['d', 'a', 'adbc'],
    ['d', 'c', 'abcd'],
    ['b', 'a', 'abcd'],
  ])('%s behind %s makes %s', (serviceId, after, order) => expect(moved(serviceId, after)).toBe(order))

  it('that stands there already changes nothing', () => {
    expect(orderKeyAfter(rows, 'b', 'a')).toBeNull()
    expect(orderKeyAfter(rows, 'a', null)).toBeNull()
  })
  it.each([
    ['x', 'a'],
    ['a', 'x'],
  ])('%s behind %s cannot be done', (serviceId, after) =>
    expect(() => orderKeyAfter(rows, serviceId, after)).toThrow('not in the list'),
  )
})

describe('the life of an announcement', () => {
  const facts = { startsLater: true, endsLater: true, endsAfterStart: true }
  it.each([
    ['draft', ['schedule', 'publish', 'delete']],
    ['scheduled', ['publish', 'withdraw']],
    ['live', ['end']],
    ['ended', ['delete']],
  ] as const)('in %s offers %j', (state, actions) =>
    expect(allowedActions(announcementCycle, state, () => true, facts)).toEqual(actions),
  )

  it('is walked by the clock only where the table says so', () => {
    const walked = announcementStates.flatMap(state =>
      (['start', 'expire'] as const).filter(action =>
        moveFor(announcementCycle, state, action, may => may === 'system'),
      ),
    )
    expect(walked).toEqual(['start', 'expire'])
    const byPeople = announcementActions.filter(action =>
      announcementStates.some(state => moveFor(announcementCycle, state, action, may => may === 'system')),
    )
    expect(byPeople).toEqual([])
  })

  it.each([
    [null, null, 'endsLater endsAfterStart'],
    [101, null, 'startsLater endsLater endsAfterStart'],
    [99, null, 'endsLater endsAfterStart'],
    [null, 100, 'endsAfterStart'],
    [101, 101, 'startsLater endsLater'],
    [101, 102, 'startsLater endsLater endsAfterStart'],
  ])('from %j to %j is at 100 %s', (startAt, endAt, held) => {
    const found = Object.entries(announcementFacts({ startAt, endAt }, 100))
    expect(
      found
        .filter(([, holds]) => holds)
        .map(([name]) => name)
        .join(' '),
    ).toBe(held)
  })
})

describe('the billboard', () => {
  const slots = [
    { id: 'a', weight: 6 },
    { id: 'b', weight: 3 },
    { id: 'c', weight: 1 },
    { id: 'off', weight: 0 },
  ]
  const seen = (unit: string, now: number, count: number) =>
    slotsOfTurn(slots, { place: 'home', unit, now, count }).map(one => one.id)

  it('stays through a turn and rotates by weight over many', () => {
    expect(seen('1', 5, 1)).toEqual(seen('1', billboardTurnMs - 1, 1))
    const counts = new Map<string, number>()
    for (let turn = 0; turn < 10_000; turn++) {
      const [first = ''] = seen('1', turn * billboardTurnMs, 1)
      counts.set(first, (counts.get(first) ?? 0) + 1)
    }
    expect(counts.get('a')! / 10_000).toBeCloseTo(0.6, 1)
    expect(counts.get('c')! / 10_000).toBeCloseTo(0.1, 1)
    expect(counts.has('off')).toBe(false)
  })
  it('shows none twice at once, and none that weighs nothing', () => {
    for (let unit = 0; unit < 200; unit++) expect(seen(String(unit), 0, 5).toSorted()).toEqual(['a', 'b', 'c'])
  })
})

describe('a link', () => {
  it.each([
    ['#/services', true],
    ['https://example.com/a?b=c', true],
    ['http://example.com', true],
    ['javascript:alert(1)', false],
    ['//example.com', false],
    ['data:text/html,x', false],
    ['https://a b', false],
    [' https://example.com', false],
  ])('%s may be followed: %s', (href, isRight) => expect(new RegExp(linkPattern).test(href)).toBe(isRight))
})

describe('a switch', () => {
  const on = { isOn: true, percent: 0, zones: [], groups: [] as string[] }
  const team = { teamId: '7', zone: 'DE' as const, groups: ['early'] }

  it.each([
    ['off', { ...on, isOn: false, percent: 100 }, 's'],
    ['zone', { ...on, percent: 100, zones: ['CN' as const], groups: ['early'] }, 's'],
    ['group', { ...on, zones: ['DE' as const], groups: ['late', 'early'] }, 's'],
    ['percent', { ...on, percent: 100 }, 's'],
    ['outside', { ...on, groups: ['late'] }, 's'],
    ['drawn', { ...on, percent: 50 }, null],
    ['percent', { ...on, percent: 100 }, null],
    ['outside', on, null],
  ])('says %s of %j with the seed %j', (reason, setting, seed) => {
    expect(switchReason(setting, seed, team)).toBe(reason)
  })

  it.each([
    ['off', { ...on, isOn: false, percent: 100 }],
    ['zone', { ...on, percent: 100, zones: ['CN' as const] }],
    ['percent', { ...on, percent: 100 }],
    ['outside', { ...on, percent: 99.9 }],
    ['outside', { ...on, groups: ['early'] }],
  ])('says %s to a visitor, who has no team, of %j', (reason, setting) => {
    expect(switchReason(setting, 's', { teamId: null, zone: 'DE', groups: [] })).toBe(reason)
  })

  it.each([
    ['osSwitch1', true],
    ['osSwitch2', true],
    ['osSwitch3', true],
    ['osSwitch4', true],
    ['unrealNameSwitch', true],
    ['chinaSideSwitch', true],
    ['googleAnalyticsSwitch', false],
    ['useAgcLoginSwitch', true],
    ['h5UseAgcLoginSwitch', true],
    ['storageSwitch', true],
    ['overseasSwitch', false],
    ['toString', false],
  ])('called %s is %s where nobody set it, and as it was set where somebody did', (feature, isOn) => {
    expect(isFeatureOnFor(feature, undefined, team)).toBe(isOn)
    const set = { ...on, percent: 100, seed: 's' }
    expect(isFeatureOnFor(feature, set, team)).toBe(true)
    expect(isFeatureOnFor(feature, { ...set, isOn: false }, team)).toBe(false)
  })

  it('keeps a team in while the percentage grows', () => {
    const inside = (percent: number) =>
      Array.from({ length: 500 }, (_, at) => `${at + 1}`).filter(
        teamId => switchReason({ ...on, percent }, 'seed', { ...team, teamId }) === 'percent',
      )
    const [few, more] = [inside(10), inside(30)]
    expect(few.every(teamId => more.includes(teamId))).toBe(true)
    expect(few.length).toBeGreaterThan(20)
    expect(more.length).toBeLessThan(200)
  })
})

describe('a list of teams', () => {
  it.each([
    ['1\n2;3, 2', ['1', '2', '3'], []],
    ['teamId,name\n"17",Beacon', ['17'], ['teamId', 'name', 'Beacon']],
    ['0 007 9223372036854775808', [], ['0', '007', '9223372036854775808']],
    ['  ', [], []],
  ])('%j holds %j and not %j', (text, ids, wrong) => expect(teamIdsIn(text)).toEqual({ ids, wrong }))
})

describe('a tag that is there twice', () => {
  it.each([
    [['Beta', 'Public'], -1],
    [['Beta', 'Public', 'ｂeta '], 2],
    [[], -1],
  ])('in %j is at %i', (names, at) => expect(repeatedTag(names.map(name => ({ name })))).toBe(at))
})
