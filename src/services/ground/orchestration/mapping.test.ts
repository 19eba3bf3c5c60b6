import { describe, expect, it } from 'vitest'
import { evaluate, type Scope } from './mapping.ts'
import { checkMapping } from './mapping-checks.ts'
import { limits } from './rules.ts'

const scope: Scope = {
  in: { appId: '7', ids: ['1', '2'], nested: { 'a.b': 'Y' }, nothing: null },
  steps: { app: { body: { name: 'Beacon', list: [{ id: 1, name: 'x', secret: 's' }] } } },
  caller: { language: 'en' },
}

describe('the mapping language', () => {
  it.each([
    ['$.in.appId', '7'],
    ['$.in.ids[1]', '2'],
    ['$.in.nested["a.b"]', 'Y'],
    ['$.steps.app.body.list[0].name', 'x'],
    ['$.caller.language', 'en'],
    ['$.in.none.deeper', undefined],
    ['plain', 'plain'],
    ['$$.in.appId', '$.in.appId'],
    [5, 5],
    [null, null],
    [{ a: '$.in.appId', b: '$.in.none' }, { a: '7' }],
    [
      ['$.in.appId', '$.in.none', 'x'],
      ['7', 'x'],
    ],
    [{ $coalesce: ['$.in.nothing', '$.in.none', '$.in.appId'] }, '7'],
    [{ $concat: ['app ', '$.in.appId', '$.in.none'] }, 'app 7'],
    [{ $concat: ['$.in.ids', ['3']] }, ['1', '2', '3']],
    [{ $pick: { from: '$.steps.app.body', keys: ['name', 'none'] } }, { name: 'Beacon' }],
    [
      { $map: { from: '$.steps.app.body.list', to: { $pick: { from: '$.item', keys: ['id', 'name'] } } } },
      [{ id: 1, name: 'x' }],
    ],
    [{ $map: { from: '$.in.none', to: '$.item' } }, undefined],
    [{ $exists: '$.in.nothing' }, false],
    [{ $not: { $exists: '$.in.nothing' } }, true],
    [{ $equals: ['$.in.nested["a.b"]', 'Y'] }, true],
    [{ $all: [{ $exists: '$.in.appId' }, { $equals: [1, 2] }] }, false],
    [{ $any: [{ $exists: '$.in.appId' }, { $equals: [1, 2] }] }, true],
  ])('%j gives %j', (mapping, value) => {
    expect(evaluate(mapping, scope)).toEqual(value)
  })

  it.each([
    '$.in.__proto__',
    '$.in.constructor',
    '$.steps.app.body.prototype',
    '$.in["__proto__"]',
    '$.process.env',
    '$.',
    '$.in..appId',
    '$.in[*]',
    '$.in.appId | cat',
  ])('%s cannot be read', path => {
    expect(() => evaluate(path, scope)).toThrow()
  })

  it('what is not an own field is not there', () => {
    expect(evaluate('$.in.toString', scope)).toBeUndefined()
    expect(evaluate({ $pick: { from: '$.in', keys: ['__proto__', 'toString'] } }, scope)).toEqual({})
    expect(Object.getPrototypeOf(evaluate(JSON.parse('{"__proto__": {"admin": true}}'), scope))).toBe(Object.prototype)
  })

  it.each([{ $run: 'code' }, { $concat: ['a'], other: 1 }, { $pick: {} }, { $map: [] }])('%j is refused', mapping => {
    expect(() => evaluate(mapping, scope)).toThrow()
  })

  it('is bounded in depth', () => {
    let deep: unknown = '$.in.appId'
    for (let level = 0; level <= limits.mappingDepth; level++) deep = { a: deep }
    expect(() => evaluate(deep, scope)).toThrow(/deeper/)
    const said: string[] = []
    checkMapping(
      deep,
      '',
      (_pointer, rule) => said.push(rule),
      () => undefined,
    )
    expect(said).toEqual(['depth'])
  })

  it('is bounded in what it makes, maps of maps too', () => {
    const many = { ...scope, in: { list: Array.from({ length: 1_000 }, (_, at) => at) } }
    const to = { $map: { from: '$.in.list', to: '$.item' } }
    expect(() => evaluate({ $map: { from: '$.in.list', to } }, many)).toThrow(/more than/)
  })
})
