import { describe, expect, it } from 'vitest'
import { compileStatusOf, languageKeyOf, languageTagOf, percentOf, phasedStateOf } from './field-words.ts'

describe('what tools of the field write', () => {
  it.each([
    ['en-US', 'enUS'],
    ['zh_CN', 'zhCN'],
    ['zh-Hans-CN', 'zhCN'],
    ['ru', 'ru'],
    ['enUS', 'enUS'],
  ])('%s is the language %s', (tag, key) => {
    expect(languageKeyOf(tag)).toBe(key)
  })

  it.each([
    ['enUS', 'en-US'],
    ['es419', 'es-419'],
    ['ar', 'ar'],
  ])('%s is told as %s', (key, tag) => {
    expect(languageTagOf(key)).toBe(tag)
  })

  it.each([
    ['5', '5.00'],
    [12.5, '12.50'],
    ['0.07', '0.07'],
    ['half', 'half'],
  ])('%s is the share %s', (written, share) => {
    expect(percentOf(written)).toBe(share)
  })

  it.each([
    ['RELEASE', 'RELEASE'],
    ['GRAY_TERMINATED', 'CANCEL'],
    ['ROLLBACK', 'ROLLBACK'],
    ['STOP', null],
  ])('%s is the state %s', (word, state) => {
    expect(phasedStateOf(word)).toBe(state)
  })
})
it.each([
  ['UPLOADED', 1, 1],
  ['PARSING', 1, 1],
  ['CHECKING', 1, 1],
  ['READY', 0, 2],
  ['ARCHIVED', 0, 2],
  ['FAILED', 2, 3],
])('a package in %s has successStatus %i and aabCompileStatus %i', (state, successStatus, aabCompileStatus) => {
  expect(compileStatusOf(state)).toEqual({ successStatus, aabCompileStatus })
})
