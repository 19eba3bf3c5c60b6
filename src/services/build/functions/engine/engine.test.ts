import { globSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryDataFolder } from '../../../../testkit/data-folder.ts'
import { CannotStart, type Instance, type InstanceSpec, NotReachable, type Outcome } from './port.ts'
import { ProcessEngine } from './processes.ts'
import { canWall } from './sandbox.ts'

const engine = new ProcessEngine(true)
const folder = temporaryDataFolder('functions', os.tmpdir())
const running: Instance[] = []
const lines: { requestId: string | null; level: string; line: string }[] = []
let packages = 0

afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

/** A package of these files, started. */
async function start(
  files: Record<string, string>,
  wishes: Partial<InstanceSpec> = {},
  by = engine,
): Promise<Instance> {
  const place = path.join(folder, String(++packages))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(place, name)), { recursive: true })
    writeFileSync(path.join(place, name), text)
  }
  const spec: InstanceSpec = {
    functionName: 'measured',
    version: '1',
    folder: place,
    layers: [],
    handler: 'index.handler',
    initialiser: null,
    initTimeoutMs: 5_000,
    isObject: false,
    memoryMb: 128,
    env: {},
    connect: null,
    ...wishes,
  }
  const instance = await by.start(spec, { log: line => lines.push(line) })
  running.push(instance)
  return instance
}

let calls = 0
const call = (instance: Instance, event: unknown = {}, timeoutMs = 5_000, caller = null): Promise<Outcome> =>
  instance.call({ id: `call-${++calls}`, event, caller, timeoutMs })

async function answerOf(instance: Instance, event?: unknown, timeoutMs?: number): Promise<unknown> {
  const outcome = await call(instance, event, timeoutMs)
  if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome))
  return outcome.result.kind === 'json' ? JSON.parse(outcome.result.text) : outcome.result
}

describe('a handler answers', () => {
  it.each<[string, string]>([
    ['by its callback', 'exports.handler = (event, context, callback) => callback({ got: event.name })'],
    [
      'by its callback later',
      'exports.handler = (event, context, callback) => setTimeout(() => callback({ got: event.name }), 5)',
    ],
    ['by a promise', 'exports.handler = async event => ({ got: event.name })'],
    [
      'by a promise beside a callback that it takes',
      'exports.handler = async (event, context, callback) => ({ got: event.name })',
    ],
    ['by a plain value', 'exports.handler = event => ({ got: event.name })'],
  ])('%s', async (_style, code) => {
    expect(await answerOf(await start({ 'index.js': code }), { name: 'Ada' })).toEqual({ got: 'Ada' })
  })

  it('as a module of the standard kind', async () => {
    const instance = await start({ 'index.mjs': 'export const handler = async event => event.n + 1' })
    expect(await answerOf(instance, { n: 41 })).toBe(42)
  })

  it('with a whole HTTP answer', async () => {
    const code = `exports.handler = (event, context, callback) => callback(new context.HTTPResponse({ a: 1 }, { 'X-One': 'two' }, 'application/json', '201'))`
    expect(await answerOf(await start({ 'index.js': code }))).toEqual({
      kind: 'http',
      status: 201,
      headers: { 'content-type': 'application/json', 'x-one': 'two' },
      body: '{"a":1}',
      isBase64: false,
    })
  })

  it('as a standard fetch handler', async () => {
    const code = `export default { async fetch(request, env) {
      const { pathname, searchParams } = new URL(request.url)
      return new Response(pathname + searchParams.get('q') + env.WHO + await request.text(), { status: 202 })
    } }`
    const instance = await start({ 'index.mjs': code }, { handler: 'index.default', env: { WHO: 'me' } })
    const event = { path: '/a', httpMethod: 'POST', headers: {}, queryStringParameters: { q: '7' }, body: 'hello' }
    expect(await answerOf(instance, event)).toMatchObject({ kind: 'http', status: 202, body: '/a7mehello' })
  })

  it('as an object whose methods are called by name, and of no other', async () => {
    const code = 'exports.Basket = class { constructor() { this.n = 0 } add(a, b) { this.n++; return a + b + this.n } }'
    const instance = await start({ 'index.js': code }, { handler: 'index.Basket', isObject: true })
    expect(await answerOf(instance, { method: 'add', params: [1, 2] })).toBe(4)
    for (const method of ['constructor', 'toString', '__proto__', 'none'])
      expect(await call(instance, { method, params: [] })).toMatchObject({ kind: 'threw' })
  })

  it('with packages beside it and in layers, its environment and its context', async () => {
    const layer = path.join(folder, 'layer')
    mkdirSync(path.join(layer, 'node_modules', 'shared'), { recursive: true })
    writeFileSync(path.join(layer, 'node_modules', 'shared', 'index.js'), 'module.exports = "of the layer"')
    const code = `const own = require('own'), shared = require('shared')
      exports.handler = async (event, context) => [own, shared, context.env.KEY, process.env.KEY, context.functionName,
        context.functionVersion, context.memoryLimitMb, context.getRemainingTimeMs() > 1000, context.auth.uid]`
    const files = { 'index.js': code, 'node_modules/own/index.js': 'module.exports = "own"' }
    const instance = await start(files, { layers: [layer], env: { KEY: 'value' } })
    const outcome = await instance.call({ id: 'whole', event: {}, caller: { uid: '7', claims: {} }, timeoutMs: 5_000 })
    const answer = ['own', 'of the layer', 'value', 'value', 'measured', '1', 128, true, '7']
    expect(outcome).toMatchObject({ kind: 'answered', result: { kind: 'json', text: JSON.stringify(answer) } })
  })

  it('many calls at once, each with its own lines in the log', async () => {
    const code = `exports.handler = async event => { console.log('began', event.n); await new Promise(r => setTimeout(r, 20)); logger.warn('ends', event.n); return event.n }`
    const instance = await start({ 'index.js': code })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        instance.call({ id: `many-${n}`, event: { n }, caller: null, timeoutMs: 5_000 }),
      ),
    )
    expect(answers.every(one => one.kind === 'answered')).toBe(true)
    for (let n = 0; n < 20; n++) {
      const own = lines.filter(one => one.requestId === `many-${n}`).map(one => `${one.level} ${one.line}`)
      expect(own).toEqual([`info began ${n}`, `warn ends ${n}`])
    }
  })
})

describe('a fault is told as what it is', () => {
  const faultsOf = (error: unknown) => (error instanceof CannotStart ? error.fault : error)

  it('a handler that the package has not, with what it exports', async () => {
    const fault = await start({ 'index.js': 'exports.other = 1; exports.more = 2' }).catch(faultsOf)
    expect(fault).toMatchObject({ kind: 'handlerMissing', exports: expect.arrayContaining(['other', 'more']) })
  })

  it('code that cannot be read, with its place', async () => {
    const fault = await start({ 'index.js': 'exports.handler = (' }).catch(faultsOf)
    expect(fault).toMatchObject({ kind: 'loadFailed', name: 'SyntaxError' })
  })

  it('an initialiser that throws, and one that never answers', async () => {
    const files = { 'index.js': `exports.handler = () => 1; exports.first = () => { throw new Error('no key') }` }
    expect(await start(files, { initialiser: 'index.first' }).catch(faultsOf)).toMatchObject({
      kind: 'initialiserFailed',
      message: 'no key',
    })
    const slow = {
      'index.js': 'exports.handler = () => 1; exports.first = () => new Promise(() => setInterval(() => 1, 1000))',
    }
    const late = await start(slow, { initialiser: 'index.first', initTimeoutMs: 300 }).catch(faultsOf)
    expect(late).toMatchObject({ kind: 'initialiserFailed', message: 'no answer within 300 ms' })
  })

  it.each<[string, string, object]>([
    [
      'what is thrown',
      `exports.handler = () => { throw new TypeError('bad') }`,
      { kind: 'threw', error: { name: 'TypeError', message: 'bad' } },
    ],
    [
      'what is thrown as code and message',
      `exports.handler = async () => { throw { code: 7, message: 'seven' } }`,
      { kind: 'threw', error: { name: '7', message: 'seven' } },
    ],
    [
      'an answer in circles',
      'exports.handler = async () => { const a = {}; a.a = a; return a }',
      { kind: 'threw', error: { kind: 'notJson' } },
    ],
    [
      'an error nobody caught',
      `exports.handler = () => new Promise(() => setTimeout(() => { throw new Error('late') }, 5))`,
      { kind: 'ended', reason: 'uncaught', error: { message: 'late' } },
    ],
    [
      'a promise nobody awaited',
      `exports.handler = () => new Promise(() => { Promise.reject(new Error('lost')) })`,
      { kind: 'ended', reason: 'uncaught', error: { message: 'lost' } },
    ],
    [
      'an end of the process',
      'exports.handler = () => new Promise(() => process.exit(3))',
      { kind: 'ended', reason: 'killed' },
    ],
  ])('%s', async (_what, code, expected) => {
    expect(await call(await start({ 'index.js': code }))).toMatchObject(expected)
  })

  it('an endless loop, by the end of its process', async () => {
    const instance = await start({ 'index.js': 'exports.handler = () => { for (;;); }' })
    expect(await call(instance, {}, 300)).toMatchObject({ kind: 'ended', reason: 'timeout' })
    expect(await instance.ended).toBe('timeout')
  })

  it('a call that heeds its signal ends in time, and the process goes on', async () => {
    const code = `exports.handler = (event, context) => event.quick ? 'quick' : new Promise((_, no) => context.signal.addEventListener('abort', () => no(context.signal.reason)))`
    const instance = await start({ 'index.js': code })
    expect(await call(instance, {}, 200)).toMatchObject({
      kind: 'threw',
      error: { message: 'the time of the call is over' },
    })
    expect(await answerOf(instance, { quick: true })).toBe('quick')
  })

  it.each<[string, string]>([
    ['objects', 'exports.handler = () => { const all = []; for (;;) all.push(new Array(1e5).fill(all.length)) }'],
    [
      'buffers',
      'exports.handler = async () => { const all = []; for (;;) { all.push(Buffer.alloc(8e6, 1)); await new Promise(setImmediate) } }',
    ],
  ])('a memory hog of %s', async (_what, code) => {
    expect(await call(await start({ 'index.js': code }), {}, 20_000)).toMatchObject({
      kind: 'ended',
      reason: 'outOfMemory',
    })
  })
})

describe('a process that was started is gone', () => {
  it('when it is stopped, with all that was in flight', async () => {
    const instance = await start({
      'index.js': 'exports.handler = () => new Promise(() => setInterval(() => 1, 1000))',
    })
    const waiting = call(instance)
    await instance.stop()
    expect(await waiting).toMatchObject({ kind: 'ended', reason: 'stopped' })
    expect(await call(instance)).toMatchObject({ kind: 'ended', reason: 'stopped' })
  })
})

const tried = (body: string) => ({
  'index.js': `exports.handler = async event => { try { return await (async () => { ${body} })() } catch (error) { return { code: error.code ?? error.name } } }`,
})

it('a socket of the machine is nothing that a function connects to', async () => {
  const server = net.createServer(socket => socket.end('from inside'))
  const at = path.join(folder, 'door.sock')
  await new Promise<void>(resolve => server.listen(at, resolve))
  const body = `return new Promise((ok, no) => require('net').connect('${at}').on('data', part => ok(String(part))).on('error', no))`
  expect(await answerOf(await start(tried(body)))).toEqual({ code: 'EACCES' })
  await new Promise(resolve => server.close(resolve))
})

const isWalled = await canWall()
describe('where no walls can be put up', () => {
  const greeting = { 'index.js': 'exports.handler = async () => "ran"' }
  const engineThatMay = (mayBeUnwalled: boolean) => new ProcessEngine(mayBeUnwalled, () => Promise.resolve(false))

  it('nothing runs, and what is missing is said', async () => {
    const strict = engineThatMay(false)
    await expect(start(greeting, {}, strict)).rejects.toThrow('apt-get install bubblewrap')
    expect(await strict.capabilities()).toMatchObject([{ name: 'isolation', isThere: false }])
    await strict.close()
  })

  it('code runs all the same when the operator said so', async () => {
    const unwalled = engineThatMay(true)
    expect(await answerOf(await start(greeting, {}, unwalled))).toBe('ran')
    expect(await unwalled.capabilities()).toMatchObject([{ name: 'isolation', isThere: false }])
    await unwalled.close()
  })
})

describe.skipIf(!isWalled)(isWalled ? 'the walls' : 'the walls (skipped: apt-get install bubblewrap)', () => {
  it.each<[string, string]>([
    ['a file of the machine', `return require('fs').readFileSync('/etc/passwd', 'utf8')`],
    ['the folder above', `return require('fs').readdirSync('/')`],
    ['the environment of whoever is first', `return require('fs').readFileSync('/proc/1/environ', 'utf8')`],
    ['a program', `return require('child_process').execFileSync('/node', ['-v']).toString()`],
    ['a thread', `return new (require('worker_threads').Worker)('1', { eval: true })`],
    ['its own code', `return require('fs').writeFileSync('/fn/index.js', '')`],
    ['a native addon', `return process.dlopen({ exports: {} }, '/tmp/a.node')`],
    ['the inner parts of Node', `return process.binding('spawn_sync')`],
    ['a debugger', `require('inspector').open(0); return 'open'`],
  ])('refuse %s', async (_what, body) => {
    const answer = (await answerOf(await start(tried(body)))) as { code?: string }
    expect(answer.code).toMatch(
      /^(ERR_ACCESS_DENIED|EROFS|EACCES|ENOENT|EPERM|ERR_INSPECTOR_NOT_AVAILABLE|ERR_INSPECTOR_NOT_ACTIVE|ERR_DLOPEN_DISABLED)$/,
    )
  })

  it('hold a fork bomb: nothing is begun', async () => {
    const bomb = `const { fork, spawn } = require('child_process'); const { Worker } = require('worker_threads')
      const ways = [() => fork('/fn/index.js'), () => spawn('/node', ['/fn/index.js']), () => new Worker('/fn/index.js')]
      const codes = new Set()
      for (let n = 0; n < 500; n++) for (const begin of ways) try { begin(); codes.add('begun') } catch (error) { codes.add(error.code) }
      return [...codes]`
    expect(await answerOf(await start(tried(bomb)), {}, 20_000)).toEqual(['ERR_ACCESS_DENIED'])
  })

  it('keep the doors of one function from another', async () => {
    const neighbour = await start({ 'index.js': 'exports.handler = async () => 1' })
    const [out = ''] = globSync(path.join(os.tmpdir(), `loggia-fn-${process.pid}-*`, neighbour.id, 'out'))
    const door = net.createServer(socket => socket.end('a door of another'))
    await new Promise<void>(resolve => door.listen(path.join(out, 'door'), resolve))
    const seen = await answerOf(
      await start(
        tried(`return [${JSON.stringify(out)}, '/run/out', '/run', '/tmp'].map(place => {
          try { return require('fs').readdirSync(place) } catch (error) { return error.code }
        })`),
      ),
    )
    expect([readdirSync(out), seen]).toEqual([['door'], ['ENOENT', [], 'ERR_ACCESS_DENIED', []]])
    await new Promise(resolve => door.close(resolve))
    await neighbour.stop()
  })

  it('hold a flood of files and descriptors', async () => {
    const many = `const fs = require('fs'); const held = []; for (let n = 0; n < 5000; n++) held.push(fs.openSync('/fn/index.js')); return 'all'`
    expect(await answerOf(await start(tried(many)))).toEqual({ code: 'EMFILE' })
    const large = `const fs = require('fs'); const part = Buffer.alloc(4e6); const file = fs.openSync('/tmp/large', 'w'); for (let n = 0; n < 1000; n++) fs.writeSync(file, part); return 'all'`
    const outcome = await call(await start(tried(large)), {}, 20_000)
    expect(outcome.kind === 'ended' || JSON.stringify(outcome).includes('ENOSPC')).toBe(true)
  })

  it('hold a flood of lines', async () => {
    const code = `exports.handler = async () => { const line = 'x'.repeat(9000); for (;;) { for (let n = 0; n < 100; n++) console.log(line); await new Promise(setImmediate) } }`
    expect(await call(await start({ 'index.js': code }), {}, 20_000)).toMatchObject({ kind: 'ended' })
  })

  describe('and the network', () => {
    const site = http.createServer((_request, response) => response.end('from outside'))
    let port = 0
    beforeAll(async () => {
      await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
      port = (site.address() as net.AddressInfo).port
    })
    afterAll(() => new Promise(resolve => site.close(resolve)))
    const connect: InstanceSpec['connect'] = async (host, wanted) => {
      if (host !== 'outside.test') throw new NotReachable('not this one')
      if (wanted !== 80) throw new Error('refused')
      const socket = net.connect(port, '127.0.0.1')
      await new Promise(resolve => socket.once('connect', resolve))
      return socket
    }

    it.each<[string, string]>([
      ['fetch', `return (await fetch('http://outside.test/')).text()`],
      [
        'http',
        `return new Promise((ok, no) => require('http').get('http://outside.test/', reply => { let text = ''; reply.on('data', part => text += part).on('end', () => ok(text)) }).on('error', no))`,
      ],
      [
        'a plain socket',
        `return new Promise((ok, no) => { const socket = require('net').connect(80, 'outside.test', () => socket.write('GET / HTTP/1.0\\r\\n\\r\\n')); let text = ''; socket.on('data', part => text += part).on('end', () => ok(text.split('\\r\\n\\r\\n')[1])).on('error', no) })`,
      ],
    ])('goes through the door by %s', async (_way, body) => {
      expect(await answerOf(await start(tried(body), { connect }))).toBe('from outside')
    })

    it.each<[string, string]>([
      ['169.254.169.254', 'http://169.254.169.254/latest/meta-data'],
      ['the machine itself', 'http://127.0.0.1:8080/'],
      ['a name that may not be', 'http://inside.test/'],
    ])('leads to no %s', async (_what, address) => {
      const body = `return (await fetch('${address}')).text()`
      const way = `${body.replace('return', 'try { return')} } catch (error) { return { code: error.cause.code } }`
      expect(await answerOf(await start(tried(way), { connect }))).toEqual({ code: 'EACCES' })
    })

    it('is asked for no more connections at once than it may', async () => {
      const body = `let refused = 0; return new Promise(ok => { for (let n = 0; n < 300; n++) require('net').connect(80, 'far.test').on('error', error => { if (error.code === 'EMFILE' && ++refused === 200) ok('two hundred refused') }) })`
      const nobodyAnswers: InstanceSpec['connect'] = () => new Promise(() => undefined)
      expect(await answerOf(await start(tried(body), { connect: nobodyAnswers }))).toBe('two hundred refused')
    })

    it('is not there for who goes round the door', async () => {
      const body = `const { TCP, constants } = process.binding('tcp_wrap'); return 'there'`
      expect(await answerOf(await start(tried(body), { connect }))).not.toBe('there')
      const udp = `const socket = require('dgram').createSocket('udp4'); return new Promise((ok, no) => socket.send('x', 53, '8.8.8.8', error => error ? no(error) : ok('sent')))`
      expect(await answerOf(await start(tried(udp), { connect }))).toEqual({ code: 'ENETUNREACH' })
    })
  })
})
