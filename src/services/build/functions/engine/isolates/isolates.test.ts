import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { functionsIde } from '../../contract.ts'
import { type FunctionStage, openFunctions, publish } from '../../functions.testkit.ts'
import { functionTesting } from '../../testing/contract.ts'
import { IsolateEngine } from './isolates.ts'

const support = (await new IsolateEngine().capabilities()).find(one => one.name === 'start')
const title = support?.isThere ? 'a function as an isolate' : `a function as an isolate (skipped: ${support?.install})`
const isolate = { runtime: 'isolate' as const }

describe.skipIf(!support?.isThere)(title, () => {
  let on: FunctionStage
  beforeAll(async () => {
    on = await openFunctions()
  })
  afterAll(() => on.close())

  it('greets as soon as it is there, keeps its runtime with its versions, and logs with its calls', async () => {
    const body = { projectId: on.projectId, functionName: 'greeter', ...isolate }
    const { functionId, function: made } = await on.owner.ok(functionsIde, 'createFunction', { body })
    expect(made.config.runtime).toBe('isolate')
    expect(await on.run('greeter', { name: 'Ada' })).toMatchObject({ outcome: 'SUCCESS', result: { hello: 'Ada' } })
    const version = await publish(
      on.owner,
      functionId,
      `exports.handler = async () => { console.warn('saw it'); return 'as published' }`,
    )
    await publish(on.owner, functionId, `exports.handler = async () => 'newer'`)
    const ran = await on.run('greeter', {}, version)
    expect(ran).toMatchObject({
      result: 'as published',
      resolvedVersion: version,
      logs: [{ level: 'warn', line: 'saw it' }],
    })
    const { list } = await on.owner.ok(functionsIde, 'listVersions', {
      params: { name: 'greeter' },
      query: { projectId: on.projectId },
    })
    expect(list.map(one => one.config.runtime)).toEqual(['isolate', 'isolate', 'isolate'])
    const found = await on.owner.ok(functionTesting, 'listCalls', {
      params: { functionId },
      query: { keyword: 'saw it' },
    })
    expect(found.total).toBe(1)
    expect(await on.pods(functionId, version)).toMatchObject([{ served: 1 }])
  })

  it('has its secrets and its environment, and reaches what functions may reach alone', async () => {
    const code = `exports.handler = async (event, { env }) => {
      const outside = await (await fetch(event.url + '/isolate')).text()
      const inside = await fetch('http://127.0.0.1:1/').then(() => 'reached', error => error.cause.code)
      return [env.KEY, process.env.PLAIN, outside, inside]
    }`
    const { functionName } = await on.create(code, { ...isolate, secrets: { KEY: 'a key' }, env: { PLAIN: 'x' } })
    const ran = await on.run(functionName, { url: on.site.url })
    expect(ran.result).toEqual(['a key', 'x', '1', 'EACCES'])
  })

  it('tells an error with its place in the package, and a loop as what it is', async () => {
    const files = [
      {
        path: 'index.mjs',
        content: `import { fail } from './lib/fail.mjs'\nexport const handler = event => event.loops ? (() => { for (;;); })() : fail()`,
        encoding: 'utf8' as const,
      },
      {
        path: 'lib/fail.mjs',
        content: `export function fail() {\n  throw new RangeError('too far')\n}`,
        encoding: 'utf8' as const,
      },
    ]
    const { functionName } = await on.create('', { ...isolate, files })
    const failed = await on.run(functionName)
    expect(failed).toMatchObject({ outcome: 'ERROR', error: { type: 'RangeError', message: 'too far' } })
    expect(failed.error?.stack).toContain('lib/fail.mjs:2:9')
    const looped = await on.run(functionName, { loops: true })
    expect(looped).toMatchObject({ outcome: 'CRASH', error: { message: expect.stringContaining('kept the thread') } })
    expect(await on.run(functionName)).toMatchObject({ outcome: 'ERROR', error: { type: 'RangeError' } })
  })

  it.each<[string, string, RegExp]>([
    ['begins programs', `require('child_process'); exports.handler = () => 1`, /child_process, which no function/],
    [
      'has a thread',
      `const { Worker } = require('node:worker_threads'); exports.handler = () => 1`,
      /worker_threads, which no function/,
    ],
    [
      'keeps rows in files',
      `const { DatabaseSync } = require('node:sqlite'); exports.handler = () => 1`,
      /sqlite.*nodejs24/,
    ],
    ['waits outside of functions', 'export const a = await 1; export const handler = () => a', /index.js:1:18.*await/],
    ['names a package that is not there', `require('no-such-package'); exports.handler = () => 1`, /no-such-package/],
    ['names a file of the server', `require('/etc/os-release.json'); exports.handler = () => 1`, /os-release/],
    ['exports another handler', 'exports.other = () => 1', /other/],
  ])('is not created with code that %s, and is told why', async (_what, content, message) => {
    const body = {
      projectId: on.projectId,
      functionName: 'never',
      files: [{ path: 'index.js', content, encoding: 'utf8' as const }],
      ...isolate,
    }
    const answer = await on.owner.call(functionsIde, 'createFunctionWithCode', { body })
    expect([answer.status >= 400, JSON.stringify(answer.body)]).toEqual([true, expect.stringMatching(message)])
    const { total } = await on.owner.ok(functionsIde, 'listFunctions', {
      query: { projectId: on.projectId, keyword: 'never' },
    })
    expect(total).toBe(0)
  })

  it('finds packages beside its code, CommonJS as well as standard modules, and refuses an addon', async () => {
    const file = (path: string, content: string) => ({ path, content, encoding: 'utf8' as const })
    const files = [
      file(
        'index.js',
        `const old = require('old'); exports.handler = async () => [old(), (await import('modern')).default, require('./data.json').n]`,
      ),
      file('data.json', '{"n":7}'),
      file('node_modules/old/index.js', `undeclared = 'sloppy'; module.exports = () => require('./deep') + undeclared`),
      file('node_modules/old/deep/index.js', `module.exports = 'deep and '`),
      file('node_modules/modern/package.json', '{"name":"modern","type":"module","exports":"./main.js"}'),
      file('node_modules/modern/main.js', `import { sep } from 'node:path'\nexport default sep`),
    ]
    const { functionName, functionId, revision } = await on.create('', { ...isolate, files })
    expect((await on.run(functionName)).result).toEqual(['deep and sloppy', '/', 7])
    const native = [
      ...files,
      file('node_modules/old/deep/index.js', `module.exports = require('./a.node')`),
      file('node_modules/old/deep/a.node', ''),
    ]
    const body = { revision, files: native.filter((_one, at) => at !== 3) }
    const answer = await on.owner.call(functionsIde, 'updateCode', { params: { functionId }, body })
    expect(JSON.stringify(answer.body)).toContain('functions load no native addons')
    expect((await on.run(functionName)).result).toEqual(['deep and sloppy', '/', 7])
  })

  it('reads no file of the server into the package, by whatever name', async () => {
    const content = `import server from '${process.cwd()}/package.json'; export const handler = () => server.name`
    const files = [{ path: 'index.mjs', content, encoding: 'utf8' as const }]
    const body = { projectId: on.projectId, functionName: 'reader', files, ...isolate }
    const answer = await on.owner.call(functionsIde, 'createFunctionWithCode', { body })
    expect(JSON.stringify(answer.body)).toContain('not in the package')
  })
})
