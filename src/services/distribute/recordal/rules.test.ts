import { describe, expect, it } from 'vitest'
import { allowedActions } from '../../../kernel/life-cycle.ts'
import {
  differencesOf,
  isCreditCode,
  isNetworked,
  isPersonNumber,
  isRecordalNumber,
  masked,
  recordalCycle,
  recordalStates,
  tidyHex,
  tidyNumber,
} from './rules.ts'

describe('the number of a filing', () => {
  it.each([
    ['京ICP备12345678号-1A', true],
    ['粤ICP备2023000001号A', true],
    ['沪ICP备1234567890号-12A', true],
    ['京ICP备12345678号-1', false],
    ['京ICP备1234567号-1A', false],
    ['北ICP备12345678号-1A', false],
    ['ICP备12345678号-1A', false],
    ['京ICP证12345678号-1A', false],
    ['京ICP备12345678号-A', false],
  ])('%s', (text, isRight) => expect(isRecordalNumber(text)).toBe(isRight))

  it('is read as people copy it', () => {
    expect(tidyNumber(' 京 icp备１２３４５６７８号-1a ')).toBe('京ICP备12345678号-1A')
  })
})

describe('who filed', () => {
  it.each([
    ['91350100M000100Y43', true],
    ['91350100M000100Y44', false],
    ['91350100M000100I43', false],
    ['91350100M000100Y4', false],
  ])('as a company by %s', (text, isRight) => expect(isCreditCode(text)).toBe(isRight))

  it.each([
    ['11010519491231002X', true],
    ['110105194912310021', false],
    ['11010519491331002X', false],
    ['11010519490231002X', false],
    ['1101051949123100X', false],
  ])('as a person by %s', (text, isRight) => expect(isPersonNumber(text)).toBe(isRight))

  it('is shown by the ends only', () => {
    expect(masked('11010519491231002X')).toBe('11**************2X')
    expect(masked('123')).toBe('***')
  })
})

describe('what was filed of the package', () => {
  const actual = { packageName: 'com.example.app', certMd5: 'ab12', publicKeyModulus: '00c0ffee' }
  it('fits whatever separates its hex', () => {
    expect(tidyHex('0x00:C0:FF EE')).toBe('c0ffee')
    const filed = { packageName: 'com.example.app', certMd5: 'AB:12', publicKeyModulus: 'c0 ff ee' }
    expect(differencesOf(filed, actual)).toEqual([])
  })

  it('is told apart part by part', () => {
    const filed = { packageName: 'com.example.APP', certMd5: 'ab13', publicKeyModulus: 'c0ffef' }
    expect(differencesOf(filed, actual).map(one => one.field)).toEqual(['packageName', 'certMd5', 'publicKeyModulus'])
    expect(differencesOf(filed, { packageName: null, certMd5: null, publicKeyModulus: null })).toEqual([])
  })

  it.each([
    ['ANDROID', ['android.permission.INTERNET'], true],
    ['ANDROID', ['android.permission.CAMERA'], false],
    ['HARMONY', ['ohos.permission.INTERNET'], true],
    ['WEB', [], true],
    ['NO_PACKAGE', [], false],
  ])('%s with %j has a network: %s', (type, names, isOne) => {
    expect(
      isNetworked(
        type,
        names.map(name => ({ name })),
      ),
    ).toBe(isOne)
  })
})

it('developers file in every state; reviewers say what the register says of what waits, and end what counted', () => {
  const of = (permission: string) =>
    recordalStates.map(state => allowedActions(recordalCycle, state, one => one === permission).join())
  expect(of('recordal.edit')).toEqual(['file', 'file', 'file', 'file', 'file', 'file'])
  expect(of('review.decide')).toEqual(['', 'match,mismatch,notFound', 'mismatch,expire', '', '', ''])
})
