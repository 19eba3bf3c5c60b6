import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { projects } from '../../ground/projects/contract.ts'
import { functionAliases } from './aliases/contract.ts'
import { functionsIde } from './contract.ts'
import { until } from './functions.testkit.ts'
import { functionTesting } from './testing/contract.ts'

let stage: Stage
let owner: Person
let projectId = ''
beforeAll(async () => {
  stage = await openStage({
    logTo: {
      write: line => {
        if (line.includes('"level":50')) process.stdout.write(line)
      },
    },
  })
  owner = await stage.person()
  projectId = (await owner.ok(projects, 'createProject', { body: { name: 'Functions' } })).projectId
})
afterAll(() => stage.close())

const source = (content: string, path = 'index.js') => [{ path, content, encoding: 'utf8' as const }]
let made = 0
const create = async (content: string, more: object = {}) => {
  const functionName = `fn-${++made}`
  const body = { projectId, functionName, files: source(content), ...more }
  const { function: found } = await owner.ok(functionsIde, 'createFunctionWithCode', { body })
  return found
}
const run = (functionName: string, event: unknown = {}, qualifier = '$latest') =>
  owner.ok(functionTesting, 'testFunction', {
    params: { a: functionName, b: qualifier },
    query: { projectId },
    body: { event },
  })
const echo = (what: string) => `exports.handler = async event => ({ what: '${what}', event })`

describe('a function', () => {
  it('greets as soon as it is there, and tells of its call', async () => {
    const { functionId } = await owner.ok(functionsIde, 'createFunction', {
      body: { projectId, functionName: 'greeter' },
    })
    const ran = await run('greeter', { name: 'Ada' })
    expect(ran).toMatchObject({
      statusCode: 200,
      outcome: 'SUCCESS',
      result: { hello: 'Ada' },
      resolvedVersion: '$latest',
      error: null,
    })
    const { list } = await owner.ok(functionTesting, 'listCalls', { params: { functionId: functionId }, query: {} })
    expect(list).toMatchObject([{ requestId: ran.requestId, source: 'TEST', outcome: 'SUCCESS', version: '$latest' }])
    const { list: pods } = await owner.ok(functionsIde, 'listPods', {
      params: { functionId: functionId, version: '$latest' },
    })
    expect(pods).toMatchObject([{ state: 'READY', served: 1, inFlight: 0 }])
  })

  it('that is an object has its methods called', async () => {
    await owner.ok(functionsIde, 'createFunction', { body: { projectId, functionName: 'basket', functionType: 1 } })
    expect((await run('basket', { method: 'hello', params: ['Ada'] })).result).toEqual({ hello: 'Ada' })
  })

  it('keeps what it logs with the call, and finds it again', async () => {
    const { functionId, functionName } = await create(
      `exports.handler = async event => { console.warn('saw', event.n); return 1 }`,
    )
    for (const n of [41, 42]) await run(functionName, { n })
    const { list, total } = await owner.ok(functionTesting, 'listCalls', {
      params: { functionId: functionId },
      query: { keyword: 'saw 42' },
    })
    expect([total, list[0]?.lines.map(one => `${one.level} ${one.line}`)]).toEqual([1, ['warn saw 42']])
    const { points } = await owner.ok(functionTesting, 'countCalls', { params: { functionId: functionId } })
    expect([points.length, points.at(-1)?.calls]).toEqual([24, 2])
  })

  it('is found as it was written, and by nothing that nobody wrote', async () => {
    const { functionId, functionName } = await create(`exports.handler = async event => {
      console.log(JSON.stringify({ user: 'ada' }), 'C:\\\\temp', '100%')
      if (event.bad) throw new RangeError('too far')
    }`)
    for (const bad of [false, true]) await run(functionName, { bad })
    const foundBy = async (keyword: string) =>
      (await owner.ok(functionTesting, 'listCalls', { params: { functionId }, query: { keyword } })).total
    const keywords = ['"user":"ada"', 'C:\\temp', '100%', 'RangeErr', 'too far', 'level', '1000']
    expect(await Promise.all(keywords.map(foundBy))).toEqual([2, 2, 2, 1, 1, 0, 0])
  })

  it('keeps what it wrote outside of calls with the next one: its initialiser, and what it set going', async () => {
    const { functionId, functionName } = await create(
      `exports.first = () => { console.log('begun'); setInterval(() => console.warn('still here'), 20).unref() }
       exports.handler = async event => { console.log('call', event.n); return 1 }`,
      { initHandler: 'index.first' },
    )
    const linesOf = async (n: number) => {
      const { requestId } = await run(functionName, { n })
      const { list } = await owner.ok(functionTesting, 'listCalls', { params: { functionId }, query: {} })
      return list.find(one => one.requestId === requestId)?.lines.map(one => one.line) ?? []
    }
    expect((await linesOf(1)).filter(one => one !== 'still here')).toEqual(['begun', 'call 1'])
    const between = await until(
      () => linesOf(2),
      lines => lines.includes('still here'),
    )
    expect(between.filter(one => one !== 'still here')).toEqual(['call 2'])
  })

  it('keeps the lines of its initialiser also where the first call ends the copy', async () => {
    const { functionName } = await create(
      `exports.first = () => console.log('begun'); exports.handler = async () => process.exit(1)`,
      { initHandler: 'index.first' },
    )
    expect(await run(functionName)).toMatchObject({ outcome: 'CRASH', logs: [{ line: 'begun' }] })
  })

  it('whose secrets are set uses them, and nobody reads them again', async () => {
    const found = await create('exports.handler = async (event, context) => context.env.KEY.length', {
      secrets: { KEY: 'very secret' },
    })
    expect(found.secretKeys).toEqual(['KEY'])
    expect((await run(found.functionName)).result).toBe(11)
    const { function: after } = await owner.ok(functionsIde, 'updateFunction', {
      params: { functionId: found.functionId },
      body: { revision: found.revision, secrets: { KEY: null, OTHER: 'x' } },
    })
    expect(after.secretKeys).toEqual(['OTHER'])
    expect(JSON.stringify(after)).not.toContain('very secret')
    const rows = await stage.sql('CN', 'SELECT config, sealed_env FROM fn_functions')
    expect(JSON.stringify(rows)).not.toContain('very secret')
  })

  it('is written for a runtime that there is, and keeps it', async () => {
    const body = { projectId, functionName: 'cobol', runtime: 'cobol' as never }
    const unknown = await owner.call(functionsIde, 'createFunction', { body })
    expect([unknown.status, JSON.stringify(unknown.body)]).toEqual([400, expect.stringContaining('"/runtime"')])
    const { functionId, revision, config } = await create(echo('a'))
    const change = { params: { functionId }, body: { revision, runtime: 'isolate' as const } }
    expect(config.runtime).toBe('nodejs24')
    expect(await owner.call(functionsIde, 'updateFunction', change as never)).toMatchObject({ status: 400 })
    const { runtimes } = await owner.ok(functionsIde, 'listRuntimes', {})
    const told = runtimes.map(one => [
      one.id,
      one.isThere || (one.lack !== null && one.why !== null),
      one.capabilities.length > 0,
    ])
    expect(told).toEqual([
      ['nodejs24', true, true],
      ['isolate', true, true],
      ['image', true, true],
    ])
  })

  it('is told apart by its name, once in a project', async () => {
    await create(echo('a'), {})
    const again = { projectId, functionName: `fn-${made}`, files: source(echo('b')) }
    expect(await owner.call(functionsIde, 'createFunctionWithCode', { body: again })).toMatchObject({
      status: 409,
      body: { ret: { code: 210409001 } },
    })
  })
})

describe('code that cannot run is refused, and what was before goes on', () => {
  it.each<[string, { path: string; content: string; encoding: 'utf8' }[], object, number, RegExp]>([
    ['a handler that is not exported, with what is', source('exports.other = 1'), {}, 210400010, /other/],
    ['code with an error', source('exports.handler = ('), {}, 210422002, /Unexpected end of input/],
    [
      'a handler out of the package',
      source(echo('x')),
      { handler: '../index.handler' },
      210400020,
      /handler ..\/index.handler cannot be used: leads out of the package\."/,
    ],
    ['a file out of the package', source(echo('x'), '../index.js'), {}, 210400011, /leads out/],
    ['a file at the root of the machine', source(echo('x'), '/etc/passwd'), {}, 210400011, /no path/],
    ['two files of one name', [...source(echo('x')), ...source(echo('y'))], {}, 210400011, /index.js is there twice/],
    [
      'a file under a file',
      [...source(echo('x')), ...source('', 'index.js/a.js')],
      {},
      210400011,
      /index.js is there twice/,
    ],
    [
      'a file under a file, with another one between them',
      [...source(echo('x')), ...source('', 'index.js-a'), ...source('', 'index.js/a.js')],
      {},
      210400011,
      /index.js is there twice/,
    ],
    ['a name that no disk takes', source(echo('x'), `${'a'.repeat(256)}.js`), {}, 210400011, /more than 255 bytes/],
    [
      'an initialiser that throws',
      source(`exports.handler = () => 1; exports.init = () => { throw new Error('no key') }`),
      { initHandler: 'index.init' },
      210422002,
      /no key/,
    ],
    ['a reserved key', source(echo('x')), { env: { NODE_OPTIONS: '--inspect' } }, 210400012, /reserved/],
  ])('%s', async (_what, files, more, code, message) => {
    const found = await create(echo('before'))
    const { files: _files, ...settings } = { files, ...more } as { files: unknown } & object
    const answer =
      Object.keys(settings).length > 0
        ? await owner.call(functionsIde, 'createFunctionWithCode', {
            body: { projectId, functionName: `bad-${++made}`, files, ...settings },
          })
        : await owner.call(functionsIde, 'updateCode', {
            params: { functionId: found.functionId },
            body: { revision: found.revision, files },
          })
    expect(answer.body.ret.code).toBe(code)
    expect(JSON.stringify(answer.body)).toMatch(message)
    expect((await run(found.functionName)).result).toMatchObject({ what: 'before' })
    const { list } = await owner.ok(functionsIde, 'listFunctions', { query: { projectId, keyword: 'bad-' } })
    expect(list).toEqual([])
  })
})

describe('versions and aliases', () => {
  it('publish what is there, once, and an alias leads to them', async () => {
    const found = await create(echo('one'))
    const { functionId, functionName } = found
    const publish = () => owner.ok(functionsIde, 'publishVersion', { body: { functionId } })
    expect(await publish()).toEqual(expect.objectContaining({ version: '1', isNew: true }))
    expect(await publish()).toEqual(expect.objectContaining({ version: '1', isNew: false }))
    const { function: now } = await owner.ok(functionsIde, 'getFunction', { params: { functionId: functionId } })
    expect(now.hasChanges).toBe(false)
    const { function: changed } = await owner.ok(functionsIde, 'updateCode', {
      params: { functionId: functionId },
      body: { revision: now.revision, files: source(echo('two')) },
    })
    expect(changed.hasChanges).toBe(true)
    expect((await publish()).version).toBe('2')
    const whats = async (qualifier: string) =>
      ((await run(functionName, {}, qualifier)).result as { what: string }).what
    expect([await whats('1'), await whats('2'), await whats('$latest')]).toEqual(['one', 'two', 'two'])

    const { alias } = await owner.ok(functionAliases, 'createAlias', {
      params: { functionId: functionId },
      body: { name: 'live', version: '1' },
    })
    expect(await whats('live')).toBe('one')
    const additional = { version: '2', mode: 'WEIGHT' as const, weight: 100 }
    await owner.ok(functionAliases, 'updateAlias', {
      params: { functionId: functionId, name: 'live' },
      body: { revision: alias.revision, version: '1', additional },
    })
    expect(await whats('live')).toBe('two')
    const { list } = await owner.ok(functionsIde, 'listVersions', {
      params: { name: functionName },
      query: { projectId },
    })
    expect(list.map(one => [one.version, one.aliases])).toEqual([
      ['$latest', []],
      ['2', ['live']],
      ['1', ['live']],
    ])

    const gone = { params: { functionId: functionId }, query: { version: '2' } }
    expect(await owner.call(functionsIde, 'deleteFunction', gone)).toMatchObject({
      status: 412,
      body: { ret: { code: 210412001 } },
    })
    expect(
      await owner.call(functionsIde, 'deleteFunction', { params: { functionId: functionId }, query: {} }),
    ).toMatchObject({
      status: 412,
    })
    await owner.ok(functionsIde, 'deleteFunction', { params: { functionId: functionId }, query: { force: 'true' } })
    expect(await owner.call(functionsIde, 'getFunction', { params: { functionId: functionId } })).toMatchObject({
      status: 404,
    })
  })

  it.each<[string, object, string]>([
    ['a version that is not there', { version: '9' }, 'version'],
    [
      'a second version that moves',
      { version: '1', additional: { version: '$latest', mode: 'WEIGHT', weight: 5 } },
      'published',
    ],
    ['twice the same version', { version: '1', additional: { version: '1', mode: 'WEIGHT', weight: 5 } }, 'another'],
  ])('no alias leads to %s', async (_what, wish, word) => {
    const { functionId } = await create(echo('x'))
    await owner.ok(functionsIde, 'publishVersion', { body: { functionId } })
    const answer = await owner.call(functionAliases, 'createAlias', {
      params: { functionId: functionId },
      body: { name: 'live', ...wish } as never,
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(answer.body)).toContain(word)
  })
})

it('the code comes back as it was sent, to read and as a zip', async () => {
  const files = [
    ...source(echo('x')),
    { path: 'lib/data.bin', content: Buffer.from([0, 255, 1]).toString('base64'), encoding: 'base64' as const },
  ]
  const { functionId } = await create('', { files })
  const code = await owner.ok(functionsIde, 'getCode', { query: { functionId } })
  expect(code).toMatchObject({ files: expect.arrayContaining(files), truncated: false, editable: true })
})
