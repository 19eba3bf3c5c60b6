import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testRules } from './test-rules.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-rules-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const source = `agc.cloud.storage[
  match: /{bucket}/users/{uid}/{path=**} {
    allow read: if request.auth != null && request.auth.uid == uid;
    allow create: if request.auth.uid == uid && request.resource.size < 1024 && request.resource.contentType.startsWith('image/');
  }
  match: /{bucket}/teams/{team}/{file} { allow get: if clouddb.get(/main/Member/$(team)/$(request.auth.uid)).role == 'owner'; }
]`
const auth = { uid: 'u1' }
const cases = [
  { name: 'own file', expect: 'allow', request: { method: 'get', path: '/b/users/u1/a', auth }, resource: { size: 1 } },
  { name: 'own folder', expect: 'allow', request: { method: 'list', path: '/b/users/u1/x', auth } },
  { expect: 'deny', request: { method: 'get', path: '/b/users/u1/a' } },
  { expect: 'deny', request: { method: 'get', path: '/b/users/u1/a', auth: { uid: 'u2' } } },
  {
    expect: 'allow',
    request: { method: 'create', path: '/b/users/u1/a', auth, resource: { size: 9, contentType: 'image/png' } },
  },
  {
    expect: 'deny',
    request: { method: 'create', path: '/b/users/u1/a', auth, resource: { size: 1024, contentType: 'image/png' } },
  },
  { name: 'a team of his', expect: 'allow', request: { method: 'get', path: '/b/teams/red/a', auth } },
  { name: 'a team without him', expect: 'deny', request: { method: 'get', path: '/b/teams/blue/a', auth } },
]
const data = { '/clouddb/main/Member/red/u1': { role: 'owner' } }

const at = (name: string) => path.join(folder, name)
const save = (file: object) => writeFileSync(at('cases.json'), JSON.stringify(file))
function run(...args: string[]) {
  const written: string[] = []
  const said: string[] = []
  const code = testRules(
    args,
    line => written.push(line),
    line => said.push(line),
  )
  return { code, out: written.join(''), said: said.join('') }
}

beforeEach(() => {
  writeFileSync(at('storage.rules'), source)
  save({ rules: 'storage.rules', data, cases })
})

describe('loggia rules test', () => {
  it('passes cases that come out as expected, lookups and all', () => {
    const { code, out, said } = run(at('cases.json'))
    expect([code, said]).toEqual([0, ''])
    expect(out).toContain('TAP version 14\n1..8\nok 1 - own file\n')
    expect(out).toContain('# 8 passed, 0 failed')
  })

  it('fails a case that comes out otherwise, and says which statement decided what', () => {
    const [first, ...rest] = cases
    save({ rules: 'storage.rules', data, cases: [{ ...first, expect: 'deny' }, ...rest] })
    const { code, out } = run(at('cases.json'))
    expect(code).toBe(1)
    expect(out).toContain('not ok 1 - own file\n  ---\n  expected: deny\n  found: allow\n')
    expect(out).toContain('/{bucket}/users/{uid}/{path=**} line 3: true')
    expect(out).toContain('# 7 passed, 1 failed')
  })

  it('finds nothing where the data has nothing', () => {
    save({ rules: 'storage.rules', cases })
    expect(run(at('cases.json')).out).toContain('not ok 7 - a team of his')
  })

  it('runs the cases against other rules', () => {
    writeFileSync(at('open.rules'), 'agc.cloud.storage[ match: /{path=**} { allow read: if true; } ]')
    const { code, out } = run(at('cases.json'), '--rules', at('open.rules'))
    expect(code).toBe(1)
    expect(out).toContain('not ok 3')
  })

  it('says with the place why rules could not be published', () => {
    writeFileSync(at('storage.rules'), 'agc.cloud.storage[\n  match: /{bucket}/a { allow read: if ; }\n]')
    const { code, said } = run(at('cases.json'))
    expect(code).toBe(3)
    expect(said).toMatch(/storage\.rules:2:\d+: /)
  })

  it.each([
    [{ rules: 'storage.rules', cases: [] }, 'cases is a list'],
    [{ rules: 'none.rules', cases }, 'there is no file'],
    [{ rules: 'storage.rules', cases: [{ expect: 'maybe', request: {} }] }, 'cases[0].expect is allow or deny'],
    [{ rules: 'storage.rules', cases: [{ expect: 'deny', request: { method: 'peek' } }] }, 'method is one of'],
    [{ rules: 'storage.rules', cases: [{ ...cases[0], wish: 1 }] }, 'cases[0].wish is not known'],
    [
      { rules: 'storage.rules', cases: [{ expect: 'deny', request: { method: 'get', path: '/a', auth: {} } }] },
      'auth.uid',
    ],
  ])('refuses a file that is not as it should be: %j', (file, words) => {
    save(file)
    const { code, said } = run(at('cases.json'))
    expect(code).toBe(2)
    expect(said).toContain(words)
  })

  it('is a part of the command loggia, with exit codes for a pipeline', () => {
    const loggia = (...args: string[]) => spawnSync('sh', ['tools/loggia.sh', ...args], { encoding: 'utf8' })
    const passed = loggia('rules', 'test', at('cases.json'))
    expect([passed.status, passed.stdout.split('\n')[0]]).toEqual([0, 'TAP version 14'])
    expect(loggia('rules', 'test').status).toBe(2)
    expect(loggia('rules', 'try').status).toBe(2)
    expect(loggia('--help').stdout).toContain('loggia rules test FILE')
  })
})
