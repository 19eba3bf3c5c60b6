import { describe, expect, it } from 'vitest'
import {
  compileStatusOf,
  instantOf,
  languageKeyOf,
  languageTagOf,
  objectIdOf,
  percentOf,
  phasedStateOf,
} from './rules.ts'

const at = Date.UTC(2026, 11, 1, 8)

describe('what tools write', () => {
  it.each([
    ['2026-12-01T09:00:00+0100', at],
    ['2026-12-01T09:00:00+01:00', at],
    ['2026-12-01T09:00:00 0100', at],
    ['2026-12-01T08:00:00Z', at],
    ['2026-12-01T08:00:00.000Z', at],
    ['2026-12-01T08:00:00', null],
    ['tomorrow', null],
    ['2026-13-01T08:00:00Z', null],
  ])('%s is the time %s', (written, instant) => {
    expect(instantOf(written)).toBe(instant)
  })

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

  const objectId = 'cn/2026112205/0f0e0d0c-0b0a-4908-8706-050403020100.apk'
  it.each([
    [objectId, objectId],
    [`https://loggia.example/cn/cfs/file_service/v1/object/${objectId}?exp=1&sig=x`, objectId],
    [`https://loggia.example/elsewhere/${objectId}`, null],
    ['https://other.example/app.apk', null],
    ['../object/cn/secret', null],
  ])('%s is the object %s', (address, object) => {
    expect(objectIdOf(address)).toBe(object)
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
  ['FAILED', 2, 3],
])('a package in %s has successStatus %i and aabCompileStatus %i', (state, successStatus, aabCompileStatus) => {
  expect(compileStatusOf(state)).toEqual({ successStatus, aabCompileStatus })
})
