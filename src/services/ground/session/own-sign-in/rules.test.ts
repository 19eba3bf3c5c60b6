import { describe, expect, it } from 'vitest'
import { maySignInByOwn, ownSignInSwitch, shownAs } from './rules.ts'

describe('a sign-in page', () => {
  it.each([
    [false, 1440, 'desktop'],
    [false, 600, 'desktop'],
    [false, 599, 'h5'],
    [false, 390, 'h5'],
    [true, 1440, 'h5'],
    [true, 390, 'h5'],
  ] as const)('embedded: %s, %i px wide, is shown as %s', (isEmbedded, widthPx, said) => {
    expect(shownAs({ isEmbedded, widthPx })).toBe(said)
  })

  it.each([
    ['desktop', 'useAgcLoginSwitch'],
    ['h5', 'h5UseAgcLoginSwitch'],
    [undefined, 'useAgcLoginSwitch'],
    ['', 'useAgcLoginSwitch'],
    ['H5', 'useAgcLoginSwitch'],
    ['watch', 'useAgcLoginSwitch'],
  ])('that says %j asks %s', (said, name) => expect(ownSignInSwitch(said)).toBe(name))
})

it.each([
  [true, [], true],
  [true, ['reviewer'], true],
  [false, [], false],
  [false, ['reviewer'], true],
])('own sign-in switched on: %s, with the staff roles %j, takes the account: %s', (isOn, staffRoles, may) => {
  expect(maySignInByOwn(isOn, { staffRoles })).toBe(may)
})
