import { expect, it } from 'vitest'
import { mode } from './mode.ts'

it.each([
  ['#/reseller', true],
  ['#/reseller/orders?page=2', true],
  ['#/credential', true],
  ['#/credential/verify', true],
  ['#/core-platform?from=menu', true],
  ['#/resellers', false],
  ['#/apps/reseller', false],
  ['#/sign-in', false],
  ['', false],
])(
  'a reseller page, credential-authentication pages and core platform pages skip clearing session data: %j, %s',
  (hash, isKept) => expect(mode.keepsSessionData(hash)).toBe(isKept),
)
