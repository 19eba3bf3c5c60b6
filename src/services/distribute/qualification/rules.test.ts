import { describe, expect, it } from 'vitest'
import { allowedActions } from '../../../kernel/life-cycle.ts'

import { permissionMatrix, permissionsOf, staffMatrix } from '../../ground/teams/rules.ts'
import { qualificationDefs, requirements } from './definitions.data.ts'
import { definitionOf, doesSomewhere, gapsOf } from './needs.ts'
import {
  endOf,
  fileLimitOf,
  limits,
  reminderDue,
  type TaskState,
  taskCycle,
  taskStates,
  validityProblem,
} from './rules.ts'
import { allTags, kindIdsOf } from './tags.ts'

const day = 86_400_000
const paper = definitionOf('PAYMENT_LICENCE')!

describe('the table of papers', () => {
  it('names each paper once, and every paper that a tag needs', () => {
    const codes = qualificationDefs.map(def => def.qualificationCode)
    expect(new Set(codes).size).toBe(codes.length)
    const needed = requirements.flatMap(one => one.sets.flat())
    expect(needed.filter(code => !codes.includes(code))).toEqual([])
    expect(codes.filter(code => !needed.includes(code))).toEqual([])
  })

  it('asks for papers only where they count, and of kinds that are there', () => {
    for (const { kindId, countries, sets } of requirements) {
      expect(allTags().some(tag => kindIdsOf(tag).includes(kindId))).toBe(true)
      for (const code of sets.flat()) {
        const counts = definitionOf(code)!.countries
        expect(countries.every(country => counts.includes(country))).toBe(true)
      }
    }
  })
})

describe('what is missing', () => {
  const payments = [{ tagId: 10602, kindIds: kindIdsOf(10602) }]
  const invest = [{ tagId: 10603, kindIds: kindIdsOf(10603) }]
  const cases: [string, typeof payments, string[], string[], string[]][] = [
    ['nothing for a tag that needs none', [{ tagId: 10101, kindIds: kindIdsOf(10101) }], ['CN', 'DE'], [], []],
    ['nothing where the tag needs none', payments, ['BR'], [], []],
    ['the licence in China', payments, ['CN', 'BR'], [], ['CN']],
    ['nothing with it', payments, ['CN'], ['PAYMENT_LICENCE'], []],
    ['each place for itself', payments, ['CN', 'DE', 'FR'], ['PAYMENT_LICENCE'], ['DE,FR']],
    ['all of the sets', invest, ['CN'], ['FUND_LICENCE'], ['CN']],
    ['one of each set', invest, ['CN'], ['FUND_LICENCE', 'BUSINESS_LICENCE'], []],
  ]
  it.each(cases)('%s', (_, tags, countries, held, expected) => {
    const gaps = gapsOf(tags, countries, new Map([[tags[0]!.tagId, held]]), new Set())
    expect(gaps.map(gap => gap.countries.join())).toEqual(expected)
  })

  it('games of every tag need their approval in China', () => {
    expect(gapsOf([{ tagId: 20102, kindIds: kindIdsOf(20102) }], ['CN'], new Map(), new Set([20102]))).toMatchObject([
      { state: 'WAITING', countries: ['CN'] },
    ])
    expect(doesSomewhere(kindIdsOf(20102), ['GAME_PUBLICATION_NUMBER'])).toBe(false)
    expect(doesSomewhere(kindIdsOf(20102), ['GAME_PUBLICATION_NUMBER', 'COPYRIGHT_DISCLAIMER'])).toBe(true)
  })
})

describe('a validity', () => {
  const now = 1_785_000_000_000
  const cases: [string, Parameters<typeof validityProblem>[0], ReturnType<typeof validityProblem>][] = [
    ['for ever of a paper that ends', { validityType: 1, startTime: null, expireTime: null }, 'NEEDED'],
    ['without an end', { validityType: 0, startTime: now, expireTime: null }, 'NEEDED'],
    ['that ends before it begins', { validityType: 0, startTime: now, expireTime: now }, 'ORDER'],
    ['that is over', { validityType: 0, startTime: now - day, expireTime: now }, 'OVER'],
    ['that runs', { validityType: 0, startTime: now - day, expireTime: now + day }, null],
    ['that begins later', { validityType: 0, startTime: now + day, expireTime: now + 2 * day }, null],
  ]
  it.each(cases)('%s', (_, validity, problem) => expect(validityProblem(validity, paper, now)).toBe(problem))

  it('ends with the first of the papers', () => {
    const dated = (expireTime: number) => ({ validityType: 0 as const, startTime: 1, expireTime })
    expect(endOf([dated(9), { validityType: 1, startTime: null, expireTime: null }, dated(7)])).toBe(7)
    expect(endOf([{ validityType: 1, startTime: null, expireTime: null }])).toBeNull()
  })
})

describe('reminders', () => {
  const end = 1_785_000_000_000
  const cases: [string, number, number | null, number | null][] = [
    ['none more than 60 days before', 60.1, null, null],
    ['at 60 days', 60, null, 60],
    ['not twice', 59, 60, null],
    ['at 30 days', 30, 60, 30],
    ['at 7 days', 6.9, 30, 7],
    ['at 1 day', 0.5, 7, 1],
    ['one, the tightest, after a server slept', 0.5, null, 1],
    ['none after the end', 0, 7, null],
  ]
  it.each(cases)('%s', (_, left, reminded, due) => expect(reminderDue(end, reminded, end - left * day)).toBe(due))
})

describe('a file', () => {
  it.each([
    ['application/pdf', limits.pdfBytes],
    ['image/png', limits.imageBytes],
    ['application/zip', null],
  ])('%s', (mime, limit) => expect(fileLimitOf(paper, mime)).toBe(limit))
})

describe('every state and who may do what in it', () => {
  const roles = {
    leader: permissionsOf(['leader'], permissionMatrix),
    developer: permissionsOf(['developer'], permissionMatrix),
    operations: permissionsOf(['operations'], permissionMatrix),
    analyst: permissionsOf(['analyst'], permissionMatrix),
    reviewer: permissionsOf(['reviewer'], staffMatrix),
  }
  const table: Record<TaskState, Partial<Record<keyof typeof roles, string[]>>> = {
    TO_SUBMIT: {
      leader: ['edit', 'submit', 'delete'],
      developer: ['edit', 'delete'],
      operations: ['edit', 'submit', 'delete'],
    },
    WAITING: {
      leader: ['cancel', 'answer'],
      operations: ['cancel', 'answer'],
      reviewer: ['ask', 'pass', 'refuse'],
    },
    PASSED: { reviewer: ['revoke'] },
    FAILED: {
      leader: ['edit', 'submit', 'delete'],
      developer: ['edit', 'delete'],
      operations: ['edit', 'submit', 'delete'],
    },
    EXPIRED: { leader: ['delete'], developer: ['delete'], operations: ['delete'] },
    VOID: { leader: ['delete'], developer: ['delete'], operations: ['delete'] },
  }
  for (const state of taskStates)
    it.each(Object.keys(roles) as (keyof typeof roles)[])(`${state}: %s`, role => {
      expect(allowedActions(taskCycle, state, permission => roles[role].has(permission))).toEqual(
        table[state][role] ?? [],
      )
    })
})
