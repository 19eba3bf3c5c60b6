import { describe, expect, it } from 'vitest'
import type { CallSpec } from '../../../kernel/contract.ts'
import { allowedActions, moveFor } from '../../../kernel/life-cycle.ts'
import {
  dayMs,
  developerCycle,
  documentCycle,
  documentFacts,
  everywhere,
  languageShown,
  type Published,
  seriesOf,
  standingOf,
  waitsForSignature,
} from './rules.ts'

const version = (number: number, at: number, graceDays = 0, requireResign = true): Published => ({
  version: number,
  effectiveAt: at,
  graceDays,
  requireResign,
})
const required = { isRequired: true }
const one = [version(1, 0, 10)]
const two = [...one, version(2, 100 * dayMs, 14)]
const mended = [...one, version(2, 100 * dayMs, 14, false)]
const mendedThenNew = [...mended, version(3, 200 * dayMs, 7), version(4, 203 * dayMs, 7)]
const newThenMended = [...two, version(3, 101 * dayMs, 30, false)]

describe('an agreement is to be signed when the version in force is later than the one agreed to', () => {
  it.each([
    ['nothing is in force', [], 0, 0, null],
    ['never signed, within grace', one, 0, 9 * dayMs, { needSign: true, graceUntil: 10 * dayMs, isBlocking: false }],
    ['never signed, at the end of grace', one, 0, 10 * dayMs, { needSign: true, isBlocking: true }],
    ['a millisecond before it', one, 0, 10 * dayMs - 1, { needSign: true, isBlocking: false }],
    ['signed', one, 1, 900 * dayMs, { needSign: false, graceUntil: null, isBlocking: false, isAgree: true }],
    ['a later version', two, 1, 101 * dayMs, { needSign: true, graceUntil: 114 * dayMs, isBlocking: false }],
    ['a later version, grace over', two, 1, 114 * dayMs, { needSign: true, isBlocking: true }],
    ['the later one signed', two, 2, 200 * dayMs, { needSign: false }],
    ['a mend of the text', mended, 1, 900 * dayMs, { needSign: false, isAgree: true }],
    ['a mend, and never signed', mended, 0, 101 * dayMs, { needSign: true, isBlocking: true }],
    ['two waiting: the first grace counts', mendedThenNew, 2, 204 * dayMs, { graceUntil: 207 * dayMs }],
    ['a mend does not end what the version before asked for', newThenMended, 1, 120 * dayMs, { isBlocking: true }],
  ])('%s', (_name, versions, agreed, now, expected) => {
    const standing = standingOf(required, versions as Published[], agreed as number, now as number)
    if (expected === null) expect(standing).toBeNull()
    else expect(standing).toMatchObject(expected as object)
  })

  it('never blocks where it is not required, and asks only who agreed before', () => {
    const isRequired = false
    expect(standingOf({ isRequired }, two, 0, 900 * dayMs)).toMatchObject({ needSign: false, isBlocking: false })
    expect(standingOf({ isRequired }, two, 1, 900 * dayMs)).toMatchObject({ needSign: true, isBlocking: false })
  })
})

describe('the documents of a country come before those for everywhere', () => {
  const byCountry = new Map([
    [everywhere, [version(1, 0), version(2, 50)]],
    ['CN', [version(1, 100)]],
  ])
  it.each([
    ['CN', 99, everywhere, 2],
    ['CN', 100, 'CN', 1],
    ['DE', 100, everywhere, 2],
    ['DE', 49, everywhere, 1],
    [everywhere, 500, everywhere, 2],
  ])('%s at %i has %s version %i', (country, now, expected, latest) => {
    const series = seriesOf(byCountry, country, now)
    expect([series?.country, series?.versions.at(-1)?.version]).toEqual([expected, latest])
  })
  it('is nothing before the first comes into force', () => expect(seriesOf(byCountry, 'DE', -1)).toBeNull())
})

describe('a text that is not there in a language is shown in its base language, then in English, then in the first', () => {
  it.each([
    ['zhCN', ['enUS', 'zhCN'], 'zhCN'],
    ['zhTW', ['enUS', 'zhCN'], 'zhCN'],
    ['enGB', ['ruRU', 'enUS'], 'enUS'],
    ['ruRU', ['zhCN', 'enUS'], 'enUS'],
    ['ruRU', ['zhCN', 'enGB'], 'enGB'],
    ['ruRU', ['zhCN'], 'zhCN'],
    ['fi', ['fil', 'enUS'], 'enUS'],
    [undefined, ['zhCN', 'enUS'], 'enUS'],
    ['"><script>', ['enUS'], 'enUS'],
    ['ruRU', [], undefined],
  ])('%s of %j is %s', (wanted, there, expected) => expect(languageShown(wanted, there)).toBe(expected))
})

describe('only writes wait for signatures', () => {
  const call = (method: string, path: string, more = {}) => ({ method, path, ...more }) as CallSpec
  it.each([
    ['GET', '/app', {}, false],
    ['POST', '/app', {}, true],
    ['PUT', '/app', {}, true],
    ['DELETE', '/app', {}, true],
    ['POST', '/app/list', {}, false],
    ['POST', '/manage/app/list/query', {}, false],
    ['POST', '/app/check/package-name', {}, false],
    ['POST', '/playlists', {}, true],
    ['POST', '/logout', { beforeSigning: true }, false],
    ['POST', '/anything', { rate: 'read' }, false],
  ])('%s %s %j: %s', (method, path, more, expected) => {
    expect(waitsForSignature(call(method, path, more))).toBe(expected)
  })
})

describe('a document', () => {
  it.each([
    [
      'a draft with a text, at once',
      { effectiveAt: null, texts: 1, lastEffectiveAt: null },
      'hasText isAhead comesAfterLast',
    ],
    ['without a text', { effectiveAt: null, texts: 0, lastEffectiveAt: null }, 'isAhead comesAfterLast'],
    ['later', { effectiveAt: 60, texts: 1, lastEffectiveAt: 40 }, 'hasText isAhead comesAfterLast isUpcoming'],
    ['in the past', { effectiveAt: 49, texts: 1, lastEffectiveAt: null }, 'hasText comesAfterLast'],
    ['before the one before', { effectiveAt: 60, texts: 1, lastEffectiveAt: 60 }, 'hasText isAhead isUpcoming'],
  ])('%s', (_name, document, expected) => {
    const facts = Object.entries(documentFacts(document, 50))
    expect(facts.flatMap(([name, holds]) => (holds ? [name] : [])).join(' ')).toBe(expected)
  })

  it('is published, deleted or recalled, and nothing else ever', () => {
    const all = documentCycle.states.map(state => [state, allowedActions(documentCycle, state, () => true)])
    expect(Object.fromEntries(all)).toEqual({ draft: ['publish', 'delete'], published: ['recall'], recalled: [] })
  })
})

describe('a developer agreement goes draft, submitted, approved or rejected, effective, superseded', () => {
  const expected: Record<string, Record<string, string | null>> = {
    draft: { update: 'draft', submit: 'submitted', delete: null },
    submitted: { approve: 'approved', reject: 'rejected' },
    approved: { start: 'effective' },
    rejected: { revise: 'draft' },
    effective: { supersede: 'superseded' },
    superseded: {},
  }
  const actions = [...new Set(developerCycle.moves.map(move => move.action))]
  const walk = developerCycle.states.flatMap(state => actions.map(action => [state, action] as const))
  it.each(walk)('%s, %s', (state, action) => {
    const move = moveFor(developerCycle, state, action, () => true)
    const wanted = expected[state]?.[action]
    if (wanted === undefined) expect(move).toBeUndefined()
    else expect(move?.to).toBe(wanted)
  })
  it('lets only a draft be deleted, and only timers begin and end what is in force', () => {
    const deleting = developerCycle.moves.filter(move => move.to === null)
    expect(deleting.map(move => move.from)).toEqual([['draft']])
    const bySystem = developerCycle.moves.filter(move => move.may === 'system').map(move => move.action)
    expect(bySystem).toEqual(['start', 'supersede'])
  })
})
