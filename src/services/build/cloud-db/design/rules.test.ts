import { describe, expect, it } from 'vitest'
import { field, indexOn, key, matrix, typed } from '../cloud-db.testkit.ts'
import type { ObjectType } from '../schema/contract.ts'
import { fieldTypes, possibilitiesOf } from '../schema/rules.ts'
import { changeOf, typeProblems } from './rules.ts'

const codes = (type: ObjectType) => typeProblems(type).map(one => one.code)
const many = (count: number, type: Parameters<typeof field>[1] = 'Integer') =>
  Array.from({ length: count }, (_one, at) => field(`f${at}`, type))

describe('a field of each type', () => {
  it.each(fieldTypes.map(type => [type] as const))('%s is refused exactly where the dialog greys out', type => {
    const can = possibilitiesOf(type)
    const good: Record<string, string> = { Boolean: 'true', String: 'x', Text: 'x' }
    const value = good[type] ?? '1'
    const asKey = typeProblems(typed('T', [field('a', type, { belongPrimaryKey: true })]))
    expect(asKey.some(one => one.code === 4022003)).toBe(!can.primaryKey)
    const check = (more: object, code: number[]) =>
      typeProblems(typed('T', [key('id'), field('a', type, more)])).some(
        one => code.includes(one.code) && one.pointer.startsWith('/fields/1'),
      )
    expect(check({ notNull: true, defaultValue: value }, [4023001])).toBe(
      !can.notNull && !type.endsWith('AutoIncrement') ? true : !can.notNull,
    )
    expect(check({ isNeedEncrypt: true }, [4027026])).toBe(!can.encrypt)
    expect(check({ isSensitive: true }, [4027026])).toBe(!can.sensitive)
    expect(check({ defaultValue: value }, [4024002])).toBe(!can.defaultValue)
    const indexed = typeProblems(typed('T', [key('id'), field('a', type)], [indexOn('i', 'a')]))
    expect(indexed.some(one => one.code === 4021008)).toBe(!can.index)
  })
})

describe('what a type cannot be', () => {
  const id = key('id')
  it.each<[string, ObjectType, number[]]>([
    ['nothing wrong', typed('T', [id, field('a', 'Integer')], [indexOn('i', 'a')]), []],
    ['no field', typed('T', []), [4027011]],
    ['no key', typed('T', [field('a', 'Integer')]), [4027017]],
    [
      'six key fields',
      typed(
        'T',
        Array.from({ length: 6 }, (_one, at) => key(`k${at}`)),
      ),
      [4022001],
    ],
    ['65 fields', typed('T', [id, ...many(64)]), [4027005]],
    ['21 String fields', typed('T', [id, ...many(20, 'String')]), [4027006]],
    ['two fields of one name', typed('T', [id, field('A', 'Integer'), field('a', 'Integer')]), [2002012]],
    ['not null without a default', typed('T', [id, field('a', 'Integer', { notNull: true })]), [4024006]],
    ['a default that is none', typed('T', [id, field('a', 'Byte', { defaultValue: '128' })]), [4024004]],
    [
      'a default of a key',
      typed('T', [field('id', 'String', { belongPrimaryKey: true, defaultValue: 'x' })]),
      [4022005],
    ],
    ['an encrypted key', typed('T', [field('id', 'String', { belongPrimaryKey: true, isSensitive: true })]), [4022002]],
    [
      'encrypted and sensitive',
      {
        ...typed('T', [id, field('a', 'String', { isSensitive: true, isNeedEncrypt: true })]),
        permissions: matrix({ Creator: 'R' }),
      },
      [4027026],
    ],
    [
      'sensitive with a default',
      typed('T', [id, field('a', 'String', { isSensitive: true, defaultValue: 'x' })]),
      [4024005],
    ],
    [
      'sensitive and never empty',
      typed('T', [id, field('a', 'String', { isSensitive: true, notNull: true })]),
      [4023002],
    ],
    [
      'six guarded fields',
      typed('T', [id, ...Array.from({ length: 6 }, (_one, at) => field(`s${at}`, 'String', { isSensitive: true }))]),
      [4027025],
    ],
    [
      'rights for everybody beside an encrypted field',
      typed('T', [id, field('a', 'String', { isNeedEncrypt: true })]),
      [4027024, 4027024],
    ],
    [
      'an index on what is sealed',
      typed('T', [id, field('a', 'String', { isSensitive: true })], [indexOn('i', 'a')]),
      [4021008],
    ],
    [
      '17 indexes',
      typed(
        'T',
        [id, field('a', 'Integer')],
        Array.from({ length: 17 }, (_one, at) => indexOn(`i${at}`, 'a')),
      ),
      [4021001],
    ],
    [
      'an index of six fields',
      typed('T', [id, ...many(6)], [indexOn('i', ...many(6).map(one => one.fieldName))]),
      [4021002],
    ],
    ['an index of nothing', typed('T', [id], [indexOn('i')]), [4021002]],
    ['an index twice', typed('T', [id], [indexOn('i', 'id'), indexOn('I', 'id')]), [2002018]],
    ['a field twice in an index', typed('T', [id], [indexOn('i', 'id', '-id')]), [4021005]],
    ['an index of an unknown field', typed('T', [id], [indexOn('i', 'b')]), [4021006]],
    ['a bad name of an index', typed('T', [id], [indexOn('1', 'id')]), [4021003]],
    ['a role that is missing', { ...typed('T', [id]), permissions: matrix({}).slice(1) }, [4026005]],
    ['a role twice', { ...typed('T', [id]), permissions: [...matrix({}), { role: 'World', rights: [] }] }, [4026004]],
    ['two counting fields', typed('T', [key('a', 'IntAutoIncrement'), key('b', 'LongAutoIncrement')]), [4027018]],
    ['a counting field that is no key', typed('T', [id, field('a', 'IntAutoIncrement')]), [4027018]],
  ])('%s', (_name, type, expected) => {
    expect(codes(type)).toEqual(expected)
  })
})

describe('a change', () => {
  const before = typed('T', [key('id'), field('a', 'Integer')], [indexOn('i', 'a')])
  it('adds and removes by name, whatever the capitals', () => {
    const after = {
      ...typed('T', [key('id'), field('b', 'Text')], [indexOn('I', 'a')]),
      permissions: matrix({ World: 'R' }),
    }
    const change = changeOf(before, after)
    expect(change.added.map(one => one.fieldName)).toEqual(['b'])
    expect(change.removed.map(one => one.fieldName)).toEqual(['a'])
    expect([change.addedIndexes, change.removedIndexes]).toEqual([[], []])
    expect(change.permissions.map(one => one.role)).toEqual(['Authenticated', 'Creator', 'Administrator'])
  })

  it.each<[string, ObjectType, number]>([
    ['a field of another type', typed('T', [key('id'), field('a', 'Long')]), 2002005],
    ['a field of other capitals', typed('T', [key('id'), field('A', 'Integer')]), 2002005],
    ['a key more', typed('T', [key('id'), field('a', 'Integer'), key('k')]), 2001006],
    ['a key less', typed('T', [field('a', 'Integer')]), 2001006],
  ])('is refused: %s', (_name, after, code) => {
    expect(changeOf(before, after).problems.map(one => one.code)).toContain(code)
  })
})
