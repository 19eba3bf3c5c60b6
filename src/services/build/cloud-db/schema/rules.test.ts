import { describe, expect, it } from 'vitest'
import { isDefault, isFieldName, isTypeName, isZoneName, limits } from './rules.ts'

describe('names', () => {
  it.each<[string, boolean, boolean, boolean]>([
    ['a', true, true, true],
    ['A1', true, true, true],
    ['a_b', true, true, false],
    ['a_', false, false, false],
    ['_a', false, false, false],
    ['1a', false, false, false],
    ['', false, false, false],
    ['x'.repeat(20), true, true, true],
    ['x'.repeat(21), true, true, false],
    ['x'.repeat(30), true, true, false],
    ['x'.repeat(31), false, false, false],
    ['sqlite_a', false, true, false],
    ['SQLite_A', false, true, false],
    ['T_System_Config', false, true, false],
    ['naturalbase_metadata', false, true, false],
    ['naturalbase_version', true, false, false],
    ['XMIN', true, false, true],
    ['ctid', true, false, true],
    ['privateDefault', true, true, false],
    ['a"; DROP TABLE x; --', false, false, false],
    ['__proto__', false, false, false],
    ['ä', false, false, false],
  ])('%s: type %s, field %s, zone %s', (name, asType, asField, asZone) => {
    expect([isTypeName(name), isFieldName(name), isZoneName(name)]).toEqual([asType, asField, asZone])
  })
})

describe('defaults', () => {
  it.each<[Parameters<typeof isDefault>[0], string, boolean]>([
    ['Boolean', 'true', true],
    ['Boolean', 'yes', false],
    ['Byte', '-128', true],
    ['Byte', '-129', false],
    ['Long', '9223372036854775807', true],
    ['Long', '9223372036854775808', false],
    ['Float', '3.5e38', false],
    ['Double', '3.5e38', true],
    ['Double', 'NaN', false],
    ['Double', '1e999', false],
    ['Integer', '1.5', false],
    ['Integer', "1'; DROP TABLE x", false],
    ['String', 'x'.repeat(200), true],
    ['String', 'x'.repeat(201), false],
    ['Text', 'x'.repeat(limits.textDefault + 1), false],
    ['String', 'a\0b', false],
    ['Date', '0', false],
    ['ByteArray', 'AA==', false],
  ])('%s %s: %s', (type, value, expected) => {
    expect(isDefault(type, value)).toBe(expected)
  })
})
