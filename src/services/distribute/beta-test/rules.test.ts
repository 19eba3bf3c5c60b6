import { describe, expect, it } from 'vitest'
import { allowedActions, moveFor } from '../../../kernel/life-cycle.ts'
import {
  type ActivityAction,
  type ActivityState,
  activityActions,
  activityLifeCycle,
  activityStates,
  isActivityWindow,
} from './activities/rules.ts'
import {
  type FeedbackAction,
  type FeedbackState,
  feedbackActions,
  feedbackLifeCycle,
  feedbackStates,
} from './feedback/rules.ts'
import { linkLifeCycle, maskedAddress } from './invitations/rules.ts'
import { readPeople } from './people/rules.ts'
import { isInvitationOpen, isPhone, isToInvite, mayReturn, phoneOf } from './rules.ts'

const day = 86_400_000
const now = 1_800_000_000_000

describe('people', () => {
  it.each([
    ['UNSUBSCRIBED', 30 * day - 1, false],
    ['UNSUBSCRIBED', 30 * day, true],
    ['REMOVED', 0, true],
    ['DECLINED', 0, true],
  ] as const)('who are %s for %d ms are added again: %s', (state, ago, may) => {
    expect(mayReturn({ state, updatedAt: now - ago }, now)).toBe(may)
  })

  it.each([
    ['ADDED', null, true],
    ['INVITED', 0, true],
    ['INVITED', 30 * day - 1, true],
    ['INVITED', 30 * day, false],
    ['ACCEPTED', 90 * day, true],
    ['DECLINED', 0, false],
    ['REMOVED', 0, false],
    ['UNSUBSCRIBED', 0, false],
  ] as const)('who are %s, invited %s ms ago, get tests: %s', (state, ago, isOpen) => {
    expect(isInvitationOpen({ state, invitedAt: ago === null ? null : now - ago }, now)).toBe(isOpen)
  })

  it.each([
    ['ADDED', null, true],
    ['INVITED', day - 1, false],
    ['INVITED', day, true],
    ['ACCEPTED', 30 * day, false],
    ['DECLINED', 30 * day, false],
  ] as const)('who are %s, mailed %s ms ago, are mailed: %s', (state, ago, isMailed) => {
    expect(isToInvite({ state, invitedAt: ago === null ? null : now - ago }, now)).toBe(isMailed)
  })

  it('see of an address enough to know their own', () => {
    expect(maskedAddress('ann.lee@example.org')).toBe('an•••@example.org')
    expect(maskedAddress('a@example.org')).toBe('a•••@example.org')
    expect(maskedAddress('+8613800138000')).toBe('+86•••00')
  })
})

describe('a phone number', () => {
  it.each([
    ['+8613800138000', '+8613800138000'],
    [' +49 (30) 123-45.67 ', '+49301234567'],
    ['0086 138 0013 8000', '+8613800138000'],
    ['＋８６13800138000', '+8613800138000'],
    ['13800138000', null],
    ['+0123456789', null],
    ['+12345', null],
    ['+1234567890123456', null],
    ['+49 30 12 34 56x', null],
    ['+ann@example.org', null],
  ])('%s is kept as %s', (text, kept) => {
    expect(phoneOf(text)).toBe(kept)
  })

  it('is no mail address that begins with +', () => {
    expect([isPhone('+8613800138000'), isPhone('+8613800138000@example.org')]).toEqual([true, false])
  })
})

describe('a file of people', () => {
  const read = (csv: string, wantsGroup = false) => {
    const found = readPeople(csv, wantsGroup)
    return 'fault' in found ? found.fault : found.people.map(one => [one.line, one.account, one.nickname, one.group])
  }

  it.each([
    ['account,nickname\na@x.org,Ann', [[2, 'a@x.org', 'Ann', '']]],
    [
      '\uFEFFAccount;Nickname\r\na@x.org;Ann\r\n\r\nb@x.org;',
      [
        [2, 'a@x.org', 'Ann', ''],
        [4, 'b@x.org', '', ''],
      ],
    ],
    ['nickname\taccount\nAnn\ta@x.org', [[2, 'a@x.org', 'Ann', '']]],
    ['account\na@x.org', [[2, 'a@x.org', '', '']]],
    ['account,nickname\na@x.org,"Lee, ""Ann"""', [[2, 'a@x.org', 'Lee, "Ann"', '']]],
    [
      'account,nickname\n"a@x.org","two\nlines"\nb@x.org,B',
      [
        [2, 'a@x.org', 'two lines', ''],
        [4, 'b@x.org', 'B', ''],
      ],
    ],
    ['account,nickname\n"\ta@x.org","\t=1+1"', [[2, 'a@x.org', '=1+1', '']]],
  ] as const)('%j is read', (csv, people) => expect(read(csv)).toEqual(people))

  it.each([
    ['', 'header'],
    ['name,mail\nAnn,a@x.org', 'header'],
    ['account,nickname', 'empty'],
    ['account,nickname\n\n , ', 'empty'],
    ['account,nickname\n"a@x.org,Ann', 'quote'],
  ])('%j is refused: %s', (csv, fault) => expect(read(csv)).toBe(fault))

  it('names the group of each line where no group was chosen', () => {
    expect(read('account,nickname\na@x.org,Ann', true)).toBe('header')
    expect(read('group,account\nCrew,a@x.org', true)).toEqual([[2, 'a@x.org', '', 'Crew']])
  })
})

describe('the life of a feedback', () => {
  const moves: Record<FeedbackState, Partial<Record<FeedbackAction, FeedbackState | null>>> = {
    NEW: { take: 'IN_PROGRESS', resolve: 'RESOLVED', dismiss: 'DISMISSED', note: 'NEW', delete: null },
    IN_PROGRESS: { resolve: 'RESOLVED', dismiss: 'DISMISSED', note: 'IN_PROGRESS', delete: null },
    RESOLVED: { reopen: 'IN_PROGRESS', note: 'RESOLVED', delete: null },
    DISMISSED: { reopen: 'IN_PROGRESS', note: 'DISMISSED', delete: null },
  }
  it.each(feedbackStates)('from %s goes where the table says, and nowhere else', state => {
    for (const action of feedbackActions) {
      expect([action, moveFor(feedbackLifeCycle, state, action, () => true)?.to]).toEqual([
        action,
        moves[state][action],
      ])
    }
  })
})

describe('the life of an activity', () => {
  const moves: Record<ActivityState, Partial<Record<ActivityAction, ActivityState | null>>> = {
    DRAFT: { edit: 'DRAFT', publish: 'RECRUITING', delete: null },
    RECRUITING: { edit: 'RECRUITING', close: 'CLOSED' },
    CLOSED: { edit: 'CLOSED', publish: 'RECRUITING', delete: null },
  }
  it.each(activityStates)('from %s goes where the table says, and nowhere else', state => {
    for (const action of activityActions) {
      expect([action, moveFor(activityLifeCycle, state, action, () => true)?.to]).toEqual([
        action,
        moves[state][action],
      ])
    }
  })

  it('is opened again only ahead of its end and with places left', () => {
    const shown = (isAhead: boolean, hasRoom: boolean) =>
      allowedActions(activityLifeCycle, 'CLOSED', () => true, { isAhead, hasRoom })
    expect(shown(true, true)).toContain('publish')
    expect([...shown(false, true), ...shown(true, false)]).not.toContain('publish')
  })

  it.each([
    [0, 90 * day, true],
    [0, 90 * day + 1, false],
    [2 * day, day, false],
    [-day, -1, false],
    [-day, 1, true],
  ])('lasts from %d to %d: %s', (start, end, isRight) => {
    expect(isActivityWindow({ startAt: now + start, endAt: now + end }, now)).toBe(isRight)
  })
})

it('a link ends by hand or by its time, once', () => {
  const ends = (state: 'LIVE' | 'REVOKED' | 'EXPIRED') =>
    (['revoke', 'expire'] as const).map(action => moveFor(linkLifeCycle, state, action, () => true)?.to)
  expect([ends('LIVE'), ends('REVOKED'), ends('EXPIRED')]).toEqual([
    ['REVOKED', 'EXPIRED'],
    [undefined, undefined],
    [undefined, undefined],
  ])
})
