import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEngine } from './engine.testkit.ts'
import { IsolateEngine } from './isolates/isolates.ts'
import { CannotStart } from './port.ts'
import { ProcessEngine } from './processes.ts'

const engines = [new ProcessEngine(true), new IsolateEngine()]
const found = await Promise.all(engines.map(async engine => ({ engine, has: await engine.capabilities() })))

describe.each(
  found.map(({ engine, has }) => ({
    engine,
    has,
    runtime: engine.runtime,
    start: has.find(one => one.name === 'start'),
  })),
)('functions of the runtime $runtime', ({ engine, has, start: support }) => {
  if (!support?.isThere) return it.skip(`(skipped: ${support?.install})`)
  const lacks = (name: string) => has.some(one => one.name === name && !one.isThere)
  const { folder, lines, start, call, answerOf } = openEngine(engine)

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

    if (engine.runtime === 'nodejs24')
      it('as a module that waits for something while it loads', async () => {
        const code = 'const one = await Promise.resolve(1); export const handler = async event => event.n + one'
        expect(await answerOf(await start({ 'index.mjs': code }), { n: 41 })).toBe(42)
      })

    it.each<[string, string, string, string]>([
      [
        'that is the whole of a CommonJS file',
        'index.js',
        'index.default',
        'module.exports = async event => event.n + 1',
      ],
      [
        'beside a name that is not to be asked for',
        'index.js',
        'index.handler',
        `Object.defineProperty(exports, 'heavy', { enumerable: true, get() { throw new Error('asked for') } })
        exports.handler = async event => event.n + 1`,
      ],
      [
        'of a CommonJS file that ends before its end',
        'index.js',
        'index.handler',
        'exports.handler = async event => event.n + 1; return; exports.handler = null',
      ],
      [
        'of a CommonJS file that knows itself by other names',
        'index.js',
        'index.handler',
        `this.one = 1; const own = require('./index')
        exports.handler = async event => event.n + own.one + (module.exports === exports ? 0 : 1)`,
      ],
    ])('as one %s', async (_what, file, handler, code) => {
      expect(await answerOf(await start({ [file]: code }, { handler }), { n: 41 })).toBe(42)
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
      const code =
        'exports.Basket = class { constructor() { this.n = 0 } add(a, b) { this.n++; return a + b + this.n } }'
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
      const outcome = await instance.call({
        id: 'whole',
        event: '{}',
        caller: { uid: '7', claims: {} },
        timeoutMs: 5_000,
      })
      const answer = ['own', 'of the layer', 'value', 'value', 'measured', '1', 128, true, '7']
      expect(outcome).toMatchObject({ kind: 'answered', result: { kind: 'json', text: JSON.stringify(answer) } })
    })

    it('with what the call before it left: a timer that runs, a file in /tmp', async () => {
      const code = `let ticks = 0
        exports.handler = async ({ first }) => {
          const fs = require('fs')
          if (first) { setInterval(() => ticks++, 5); fs.writeFileSync('/tmp/left', 'here'); return 0 }
          return [ticks > 0, fs.readFileSync('/tmp/left', 'utf8')]
        }`
      const instance = await start({ 'index.js': code })
      await answerOf(instance, { first: true })
      await new Promise(resolve => setTimeout(resolve, 100))
      expect(await answerOf(instance)).toEqual([true, 'here'])
    })

    it('many calls at once, each with its own lines in the log', async () => {
      const code = `exports.handler = async event => { console.log('began', event.n); await new Promise(r => setTimeout(r, 20)); logger.warn('ends', event.n); return event.n }`
      const instance = await start({ 'index.js': code })
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          instance.call({ id: `many-${n}`, event: JSON.stringify({ n }), caller: null, timeoutMs: 5_000 }),
        ),
      )
      expect(answers.every(one => one.kind === 'answered')).toBe(true)
      for (let n = 0; n < 20; n++) {
        const own = lines.filter(one => one.requestId === `many-${n}`).map(one => `${one.level} ${one.line}`)
        expect(own).toEqual([`info began ${n}`, `warn ends ${n}`])
      }
    })

    it('with a line for what it writes to its streams', async () => {
      const code = `import { stdout } from 'node:process'
        stdout.write('while it loads\\n')
        export const handler = () => { process.stdout.write('out\\n'); process.stderr.write(Buffer.from('é')); return process.stdout === stdout }`
      lines.length = 0
      const instance = await start({ 'index.mjs': code })
      const order = { id: 'written', event: '{}', caller: null, timeoutMs: 5_000 }
      expect(await instance.call(order)).toMatchObject({ kind: 'answered', result: { text: 'true' } })
      expect(lines).toEqual([
        { requestId: null, level: 'info', line: 'while it loads' },
        { requestId: 'written', level: 'info', line: 'out' },
        { requestId: 'written', level: 'error', line: 'é' },
      ])
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
      const reason = lacks('computing') ? 'killed' : 'timeout'
      expect(await call(instance, {}, lacks('computing') ? 10_000 : 300)).toMatchObject({ kind: 'ended', reason })
      expect(await instance.ended).toBe(reason)
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

  it('answers as much as it is asked for: more than a copy may say of itself', async () => {
    const instance = await start({ 'index.js': "exports.handler = () => 'x'.repeat(5.5e6)" })
    for (let n = 0; n < 14; n++) expect(await answerOf(instance)).toHaveLength(5_500_000)
  })

  it('is heard by so many lines of each level as one call keeps, and one more', async () => {
    const code = `exports.handler = async () => { for (let n = 0; n < 1e5; n++) console.log('line ' + n); console.error('at last') }`
    const instance = await start({ 'index.js': code })
    lines.length = 0
    await call(instance, {}, 20_000)
    expect(lines).toHaveLength(1002)
    expect(lines.at(-2)).toMatchObject({ level: 'info', line: 'line 1000' })
    expect(lines.at(-1)).toMatchObject({ level: 'error', line: 'at last' })
    // The next call has room of its own.
    await call(instance, {}, 20_000)
    expect(lines).toHaveLength(2004)
  })

  describe('a copy that was started is gone', () => {
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

  it('has what it says it has, and what it lacks it says where code asks for it', async () => {
    const asks: Record<string, [Record<string, string>, string, RegExp]> = {
      programs: [
        {
          'index.js': `exports.handler = () => { try { return String(require('child_process').execFileSync('true')) } catch (error) { return error.code } }`,
        },
        '""',
        /ERR_ACCESS_DENIED|imports child_process/,
      ],
      addons: [
        {
          'index.js': `exports.handler = () => { try { require('./a.node') } catch (error) { return error.code } }`,
          'a.node': '',
        },
        '"ERR_DLOPEN_FAILED"',
        /ERR_DLOPEN_DISABLED|native addons/,
      ],
      files: [
        {
          'index.js': `exports.handler = () => { try { return require('fs').readFileSync(__dirname + '/a.txt', 'utf8') } catch (error) { return error.code } }`,
          'a.txt': 'of the package',
        },
        '"of the package"',
        /^"ENOENT"$/,
      ],
    }
    for (const [name, [files, answer, lacking]] of Object.entries(asks)) {
      const told = await start(files)
        .then(async instance => JSON.stringify(await answerOf(instance)))
        .catch(error => String(error.message))
      if (lacks(name)) expect(told).toMatch(lacking)
      else expect(told).toBe(answer)
    }
  })
})
