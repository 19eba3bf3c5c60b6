import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSource } from '../compile.ts'
import { checkCompiled } from '../diagnostics.ts'
import type { RuledService, RuleRequest } from '../engine-types.ts'
import { decideWith } from './evaluate.ts'
import { importFirebase } from './firebase.ts'
import { formatRules } from './format.ts'
import { firebaseRules, slowPatterns } from './language.testkit.ts'
import { parseRules } from './parse.ts'
import { matchesPattern, patternFault } from './patterns.ts'

const storage = 'agc.cloud.storage'
const base = { app: null, ip: '10.0.0.7', time: 1_700_000_000_000 }
const u1 = { uid: 'u1', provider: 1, anonymous: false, token: { roles: ['editor'], level: 3 } }

function decided(source: string, request: Partial<RuleRequest>, service: RuledService = storage): boolean {
  const { program, problems } = compileSource(source, service)
  expect(problems).toEqual([])
  return decideWith(program, { method: 'get', path: ['b', 'x'], auth: u1, ...base, ...request }, null).allowed
}

const one = (condition: string) =>
  `agc.cloud.storage[ match: /{bucket}/{path=**} { allow read, write: if ${condition}; } ]`
const codes = (source: string, service: RuledService = storage) =>
  checkCompiled(compileSource(source, service), source, null).diagnostics.map(
    found => `${found.code} ${found.line}:${found.col}`,
  )

describe('a path', () => {
  it.each([
    ['/{bucket}/public/{path=**}', 'b/public/x', true],
    ['/{bucket}/public/{path=**}', 'b/public/x/y', true],
    ['/{bucket}/public/{path=**}', 'b/public', false],
    ['/{bucket}/{file}', 'b/x/y', false],
    ['/{bucket}/{file}', 'b/x', true],
    ['/b/A', 'b/a', false],
    ['/b/a%20b', 'b/a b', true],
    ['/{bucket}/{path=**}/last', 'b/x/y/last', true],
    ['/{bucket}/{path=**}/last', 'b/last', false],
  ])('%s and /%s: %s', (pattern, path, expected) => {
    expect(decided(`agc.cloud.storage[ match: ${pattern} { allow get; } ]`, { path: path.split('/') })).toBe(expected)
  })

  it('joins down nested matches, and nothing of an outer one holds below it', () => {
    const source = 'agc.cloud.storage[ match: /{bucket} { allow get; match: /a/{x} { allow get: if x == "1"; } } ]'
    expect(decided(source, { path: ['b'] })).toBe(true)
    expect(decided(source, { path: ['b', 'a', '1'] })).toBe(true)
    expect(decided(source, { path: ['b', 'a', '2'] })).toBe(false)
  })

  it('may have names that are words of CEL', () => {
    const condition = 'list == "a" && map == "x/y" && type == "b"'
    const source = `agc.cloud.storage[ match: /{type}/{list}/{map=**} { allow get: if ${condition}; } ]`
    expect(decided(source, { path: ['b', 'a', 'x', 'y'] })).toBe(true)
  })

  it('that is bound to many segments is a text, a list and has a size', () => {
    const path = ['b', 'x', 'y', 'z']
    expect(decided(one('path == "x/y/z" && path[1] == "y" && path.size() == 3 && "z" in path'), { path })).toBe(true)
    expect(decided(one('request.path == "/b/x/y/z" && request.path[0] == bucket'), { path })).toBe(true)
  })
})

describe('a decision', () => {
  it.each([
    ['resource.data.x == 1 || true', true],
    ['true || resource.data.x == 1', true],
    ['resource.data.x == 1 && false', false],
    ['!(resource.data.x == 1 && false)', true],
    ['resource.data.x == 1', false],
    ['!(resource.data.x == 1)', false],
    ['1 < 2 ? request.auth.uid == "u1" : false', true],
    ['request.auth.token.roles.hasAny(["editor"])', true],
    ['request.auth.token.level >= 3 && request.auth.token.level is int', true],
    ['request.ip.inCidr("10.0.0.0/8")', true],
    ['request.ip.inCidr("fd00::/8")', false],
    ['request.time < timestamp("2100-01-01T00:00:00Z")', true],
    ['request.auth.uid', false],
    ['hashing.sha256("a").toHex().startsWith("ca978112")', true],
    ['math.abs(-3) == 3', true],
    ['request.auth.token.get("level", 0) == 3 && request.auth.token.get("none", 7) == 7', true],
    ['"ÀB".lowerAscii() == "Àb"', true],
    ['[1, 2, 3].all(x, x > 0) && [1, 2].exists(x, x == 2) && [1, 2].map(x, x * 2) == [2, 4]', true],
    ['request.resource == null', true],
  ])('%s: %s', (condition, expected) => {
    expect(decided(one(condition), { resource: {} })).toBe(expected)
  })

  it('knows what changed in a row', () => {
    const source = `agc.cloud.db[ match: /{zone}/Post/{id} {
      allow update: if request.resource.data.diff(resource.data).affectedKeys().hasOnly(['title', 'body']); } ]`
    const update = (after: Record<string, unknown>) =>
      decided(
        source,
        {
          method: 'update',
          path: ['main', 'Post', '1'],
          resource: { data: { title: 'a', n: 1 } },
          requestResource: { data: after },
        },
        'agc.cloud.db',
      )
    expect(update({ title: 'b', n: 1 })).toBe(true)
    expect(update({ title: 'b', n: 2 })).toBe(false)
  })

  it('puts in functions, values of let and arguments, with names that do not meet', () => {
    const source = `agc.cloud.storage[
      function isOwn(x) { let who = request.auth.uid; return [x].all(y, y == who); }
      match: /{bucket}/{y} { allow get: if isOwn(y) && ["u1"].exists(x, isOwn(x)); } ]`
    expect(decided(source, { path: ['b', 'u1'] })).toBe(true)
    expect(decided(source, { path: ['b', 'u2'] })).toBe(false)
  })

  it('ends after a thousand steps, whatever loops do', () => {
    const list = `[${'1,'.repeat(60)}1]`
    const source = one(`${list}.all(a, ${list}.all(b, a == b))`)
    expect(decided(source, {})).toBe(false)
  })

  it('is none for what names of prototypes try', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(decided(one(`resource.${name} != null`), { resource: {} })).toBe(false)
      expect(decided(one(`"${name}" in resource`), { resource: {} })).toBe(false)
    }
  })

  it('takes whole numbers as numbers, bigints or texts, by the type of the field', () => {
    const fields = new Map([['size', 'int' as const]])
    for (const size of [5, 5n, '5']) {
      expect(decided(one('resource.size + 1 == 6'), { resource: { size }, fields })).toBe(true)
    }
  })
})

describe('diagnostics', () => {
  it.each([
    ['a write for everybody', 'agc.cloud.storage[ match: /{b}/{p=**} { allow write; } ]', 'R001', 'allow write'],
    ['a write that asks nobody', one('request.ip == "x"').replace('read, ', ''), 'R002', 'allow write'],
    ['a missing semicolon', 'agc.cloud.storage[ match: /{b}/{p=**} { allow get } ]', 'E022', ' } ]'],
    ['an unknown method', 'agc.cloud.storage[ match: /{b}/{p=**} { allow look; } ]', 'E014', 'look'],
    ['an unknown name', one('user == 1 && request.auth != null'), 'E047', 'user'],
    ['an unknown function', one('mine() && request.auth != null'), 'E042', 'mine'],
    ['types that never meet', one('request.auth != null && 1 == "x"'), 'R005', '1 == "x"'],
    ['a pattern that is not linear', one("request.auth.uid.matches('(a)\\\\1')"), 'R007', "'(a)"],
    ['a function that calls itself', `agc.cloud.storage[ function f() { return f(); } ]`, 'E044', 'f(); }'],
    ['two wildcards for many', 'agc.cloud.storage[ match: /{a=**}/{b=**} { allow get; } ]', 'E053', '/{a=**}'],
    ['rules of another service', 'agc.cloud.db[ match: /{b}/{p=**} { allow get; } ]', 'E051', 'agc.cloud.db'],
    ['a bracket that is never closed', one('(request.auth != null'), 'E035', '(request'],
  ])('tell of %s, at its place', (_what, source, code, text) => {
    const { diagnostics } = checkCompiled(compileSource(source, storage), source, null)
    const found = diagnostics.find(diagnostic => diagnostic.code === code)
    expect(found && source.slice(found.col - 1).startsWith(text), JSON.stringify(diagnostics)).toBe(true)
  })

  it('refuse a list that cannot become a filter, at its place', () => {
    const source = `agc.cloud.db[ match: /{zone}/Post/{id} {
  allow list: if request.auth != null && resource.data.title.matches('a.*b');
} ]`
    expect(codes(source, 'agc.cloud.db')).toEqual(['R006 2:42'])
    expect(codes(source.replace('allow list', 'allow get'), 'agc.cloud.db')).toEqual([])
  })

  it('end at a thousand statements, and no number of hints hides that', () => {
    const source = `agc.cloud.storage[ match: /{b}/{p=**} { ${'allow get; '.repeat(5000)} } ]`
    expect(codes(source).filter(code => code.startsWith('E'))).toEqual(['E058 1:11041'])
  })

  it('say R003 of what a broader statement grants already', () => {
    const source =
      'agc.cloud.storage[ match: /{b}/{p=**} { allow get; } match: /{b}/a/{x} { allow get: if x == "1"; } ]'
    expect(codes(source)).toEqual(['R003 1:74'])
  })
})

describe('a pattern', () => {
  it.each(slowPatterns)('%s is decided at once or refused', (pattern, text) => {
    if (patternFault(pattern) !== null) return
    expect(typeof matchesPattern(text, pattern)).toBe('boolean')
  })
})

describe('what the formatter writes', () => {
  const formatted = (source: string) => {
    const { file: read, problems } = parseRules(source)
    const { file, isImported } = importFirebase(read)
    expect(problems).toEqual([])
    return formatRules(file, source, isImported)
  }

  it.each(firebaseRules.map((source, index) => [index, source] as const))(
    'reads as the same again: rules %i in a Firebase form',
    (_index, source) => {
      const service = source.includes('cloud.firestore') ? 'agc.cloud.db' : storage
      const first = formatted(source)
      expect(first).toContain(`${service}[`)
      expect(formatted(first)).toBe(first)
      const before = compileSource(source, service)
      const after = compileSource(first, service)
      expect(before.problems.filter(found => !found.code.startsWith('I'))).toEqual([])
      expect(after.problems).toEqual([])
      const meant = (compiled: typeof before) =>
        compiled.program.statements.map(found => [found.methods, found.segments, found.condition?.expansion.text])
      expect(meant(after)).toEqual(meant(before))
    },
  )

  it('keeps every comment', () => {
    const source = `// top
agc.cloud.storage[ // service
  /* before */ match: /{b}/{p=**} { // match
    allow get: if request.auth != null // half
      && true; // behind
    // last
  }
] // end
`
    const text = formatted(source)
    for (const word of ['top', 'service', 'before', 'match', 'half', 'behind', 'last', 'end']) {
      expect(text, word).toMatch(new RegExp(`(//|/\\*) ${word}`))
    }
    expect(formatted(text)).toBe(text)
  })
})

describe('the parser', () => {
  it('never throws and always ends, whatever is left out, doubled or put in', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      '(',
      ')',
      '"',
      "'",
      '/*',
      '//',
      '\n',
      '$(',
      '/{',
      '=**}',
      ';',
      ':',
      'allow',
      'match',
      'function',
      '\0',
      '\u{1f600}',
      '%',
      'get(/',
      '\\',
    ]
    const mutated = fc
      .tuple(
        fc.constantFrom(...firebaseRules),
        fc.array(fc.tuple(fc.nat(), fc.nat(40), fc.constantFrom(...pieces)), { minLength: 1, maxLength: 6 }),
      )
      .map(([source, changes]) =>
        changes.reduce((text, [at, length, piece]) => {
          const from = at % (text.length + 1)
          return text.slice(0, from) + piece + text.slice(from + length)
        }, source),
      )
    fc.assert(
      fc.property(mutated, source => {
        const compiled = compileSource(source, storage)
        const { diagnostics } = checkCompiled(compiled, source, null)
        for (const found of diagnostics) expect(found.line).toBeGreaterThan(0)
        // What could not be read grants nothing it did not say.
        for (const statement of compiled.program.statements) {
          const text = source.slice(statement.span.start, statement.span.end)
          if (statement.condition === null) expect(text).not.toMatch(/^allow[\w\s,]+:/)
        }
      }),
      { numRuns: 500 },
    )
  })
})
