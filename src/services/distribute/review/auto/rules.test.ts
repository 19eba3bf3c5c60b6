import { describe, expect, it } from 'vitest'
import { type AutoRules, reasonsToPass, type Update, usualRules } from './rules.ts'

const nothing = { added: [], removed: [] }
const on: AutoRules = { ...usualRules, isOn: true }
const same = { permissions: nothing, sdks: nothing, signer: { isSame: true } }
const listing: Update = { findings: 0, isSamePackage: true, difference: null, cleanDays: 90 }
const update: Update = { ...listing, isSamePackage: false, difference: same }
const one = { added: ['android.permission.CAMERA'], removed: [] }

describe('an update passes without a look', () => {
  it.each<[string, AutoRules, Update, boolean]>([
    ['when only the listing changed', on, listing, true],
    ['when permissions, libraries and signer are those of the shelf', on, update, true],
    ['never, until staff say so', usualRules, update, false],
    ['not after 89 clean days', on, { ...update, cleanDays: 89 }, false],
    ['not when a check found something', on, { ...listing, findings: 1 }, false],
    ['not with a new permission', on, { ...update, difference: { ...same, permissions: one } }, false],
    [
      'not with one permission less',
      on,
      { ...update, difference: { ...same, permissions: { added: [], removed: ['a'] } } },
      false,
    ],
    ['not with a new library', on, { ...update, difference: { ...same, sdks: one } }, false],
    [
      'not with another signer, even a proven one',
      on,
      { ...update, difference: { ...same, signer: { isSame: false } } },
      false,
    ],
    ['not without anything to compare with', on, { ...update, difference: null }, false],
    ['not for its listing alone where that is off', { ...on, passesListings: false }, listing, false],
    ['not for its package where that is off', { ...on, passesUpdates: false }, update, false],
  ])('%s', (_says, rules, wanted, passes) => {
    expect(reasonsToPass(rules, wanted) !== null).toBe(passes)
  })
})
