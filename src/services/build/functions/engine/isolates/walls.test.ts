import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { createRequire } from 'node:module'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../functions.testkit.ts'
import { openEngine, tried } from '../engine.testkit.ts'
import { type InstanceSpec, NotReachable } from '../port.ts'
import { IsolateEngine } from './isolates.ts'
import { installLine } from './program.ts'

const greeting = { 'index.js': 'exports.handler = async () => "ran"' }
const engine = new IsolateEngine()
const { folder, lines, start, call, answerOf } = openEngine(engine)

/** Folders of the processes of this test's server. */
const processesHere = () => globSync(path.join(os.tmpdir(), `loggia-isolates-${process.pid}-*`, '*', 'in'))

describe('where something is missing', () => {
  const [, name = '', version = ''] = /(@cloudflare\/[a-z0-9-]+)@(.+)$/.exec(installLine ?? '') ?? []

  it('workerd is brought in the version that this server was made with', () => {
    const { optionalDependencies } = createRequire(import.meta.url)('../../../../../../package.json')
    expect(optionalDependencies[name]).toBe(version)
  })

  it.each<[string, string | null, boolean, string]>([
    ['workerd', null, true, `npm install --no-save ${name}@${version}`],
    ['bubblewrap', '/program', false, 'apt-get install bubblewrap'],
  ])('%s, nothing runs, and the line that installs it is said', async (_what, program, isWalled, install) => {
    const lacking = new IsolateEngine(program, () => Promise.resolve(isWalled))
    await expect(start(greeting, {}, lacking)).rejects.toThrow(install)
    const found = (await lacking.capabilities()).find(one => one.name === 'start')
    expect(found).toMatchObject({ isThere: false, install })
    await lacking.close()
  })
})

const support = (await engine.capabilities()).find(one => one.name === 'start')
const title = support?.isThere ? 'the walls of isolates' : `the walls of isolates (skipped: ${support?.install})`
describe.skipIf(!support?.isThere)(title, () => {
  it.each<[string, string]>([
    ['a file of the machine', `return require('fs').readFileSync('/etc/passwd', 'utf8')`],
    ['its own configuration', `return require('fs').readFileSync('/config/config.capnp', 'utf8')`],
    ['the environment of whoever is first', `return require('fs').readFileSync('/proc/1/environ', 'utf8')`],
    ['a file by its address', `return (await fetch('file:///etc/passwd')).text()`],
    ['a native addon', `return process.dlopen({ exports: {} }, '/tmp/a.node')`],
    ['code out of a text', `return new Function('return 1')()`],
    ['the inner parts of Node', `return process.binding('spawn_sync')`],
  ])('refuse %s', async (_what, body) => {
    expect(await answerOf(await start(tried(body)))).toEqual({
      code: expect.stringMatching(/^(E[A-Z_]+|TypeError|EvalError|Error)$/),
    })
  })

  it('show nothing of the environment of the server', async () => {
    process.env['LOGGIA_TEST_KEY'] = 'a key'
    const instance = await start(tried('return process.env'), { projectId: 'of the environment', env: { OWN: 'x' } })
    expect(await answerOf(instance)).toEqual({ OWN: 'x' })
    delete process.env['LOGGIA_TEST_KEY']
  })

  it('keep what one function holds from another of the project', async () => {
    const writes = await start(
      tried(`globalThis.held = 'secret'; require('fs').writeFileSync('/tmp/held', 'secret'); return 'written'`),
    )
    expect(await answerOf(writes)).toBe('written')
    const reads = await start(tried(`return [typeof globalThis.held, require('fs').existsSync('/tmp/held')]`))
    expect(await answerOf(reads)).toEqual(['undefined', false])
  })

  it('a loop ends the process of its project alone, which is back in under two seconds', async () => {
    const neighbour = await start(greeting, { projectId: 'neighbour' })
    const beside = await start(greeting, { projectId: 'looping' })
    const loop = await start({ 'index.js': 'exports.handler = () => { for (;;); }' }, { projectId: 'looping' })
    const running = call(loop, {}, 20_000)
    const from = performance.now()
    expect(await answerOf(neighbour)).toBe('ran')
    expect(performance.now() - from).toBeLessThan(1_000)
    expect(await running).toMatchObject({ kind: 'ended', error: { message: /kept the thread/ } })
    const ended = performance.now()
    expect(await call(beside)).toMatchObject({ kind: 'ended', wasSent: false })
    expect(await answerOf(await start(greeting, { projectId: 'looping' }))).toBe('ran')
    expect(performance.now() - ended).toBeLessThan(2_000)
    expect(await answerOf(neighbour)).toBe('ran')
  })

  it('a loop while it is loaded is told as such', async () => {
    const looping = start({ 'index.js': 'for (;;);' }, { projectId: 'loading', initTimeoutMs: 20_000 })
    await expect(looping).rejects.toThrow(/kept the thread/)
  })

  it('a memory hog ends the process of its project alone', async () => {
    const neighbour = await start(greeting, { projectId: 'neighbour' })
    const hog = await start(
      { 'index.js': 'exports.handler = () => { const all = []; for (;;) all.push(new Uint8Array(8e6).fill(1)) }' },
      { projectId: 'greedy' },
    )
    expect(await call(hog, {}, 20_000)).toMatchObject({ kind: 'ended', reason: 'outOfMemory' })
    expect(await answerOf(neighbour)).toBe('ran')
  })

  it('a buffer larger than a process may ever write to is refused to the code that asks for it', async () => {
    const greedy = await start(tried('return new ArrayBuffer(2 ** 34, { maxByteLength: 2 ** 34 }).byteLength'))
    expect(await answerOf(greedy)).toEqual({ code: 'RangeError' })
    expect(await answerOf(greedy)).toEqual({ code: 'RangeError' })
  })

  it('a flood of lines of many calls at once is cut, and says that it was', async () => {
    const code = `exports.handler = async () => { const line = 'x'.repeat(9000); for (let n = 0; n < 20_000; n++) console.log(line); return 1 }`
    const loud = await start({ 'index.js': code }, { projectId: 'loud' })
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => call(loud, {}, 20_000)))
    const bytes = lines.reduce((sum, one) => sum + one.line.length, 0)
    expect(bytes).toBeLessThan(4_000_000)
    const hasAnswered = outcomes.some(one => one.kind === 'answered')
    expect(lines.some(one => /lines were left out/.test(one.line))).toBe(hasAnswered)
  })

  it('an answer without end is cut', async () => {
    const code = `exports.handler = async () => 'x'.repeat(40_000_000)`
    expect(await call(await start({ 'index.js': code }, { projectId: 'long' }), {}, 20_000)).toMatchObject({
      kind: 'ended',
    })
  })

  it('a process that is full is followed by another that stood ready, and one without work ends', async () => {
    const own = new IsolateEngine()
    const before = new Set(processesHere())
    const processes = () => processesHere().filter(one => !before.has(one)).length
    const starts = (length: number) =>
      Promise.all(Array.from({ length }, () => start(greeting, { projectId: 'many' }, own)))
    const ready = async () => processes()
    const copies = await starts(90)
    expect(processes()).toBe(1)
    // Of those it takes, these are more than three quarters.
    copies.push(...(await starts(10)))
    expect(await until(ready, count => count === 2)).toBe(2)
    copies.push(...(await starts(40)))
    expect(processes()).toBe(2)
    const answers = await Promise.all(copies.map(copy => answerOf(copy)))
    expect(answers.every(one => one === 'ran')).toBe(true)
    await Promise.all(copies.map(copy => copy.stop()))
    expect(await until(ready, count => count === 0)).toBe(0)
    await own.close()
  })

  it('a message larger than any that is said ends the copy, and no other', async () => {
    const large = `exports.handler = async () => { Buffer.prototype.subarray = () => new Uint8Array(3e6); return 'x' }`
    const [liar, other] = await Promise.all([start({ 'index.js': large }), start(greeting)])
    expect(await call(liar)).toMatchObject({ kind: 'ended' })
    expect(await answerOf(other)).toBe('ran')
  })

  it('the garbage of many copies is collected, and ends no process', async () => {
    const litter = {
      'index.js': `exports.handler = async () => {
        const all = []
        for (let n = 0; n < 2000; n++) all.push(new Response('x'.repeat(100)).text())
        return (await Promise.all(all)).length
      }`,
    }
    const more = { projectId: 'litter', memoryMb: 64 }
    const copies = await Promise.all(Array.from({ length: 30 }, () => start(litter, more)))
    for (let round = 0; round < 3; round++) for (const copy of copies) expect(await answerOf(copy)).toBe(2000)
    await Promise.all(copies.map(copy => copy.stop()))
  })

  describe('and the network', () => {
    const site = http.createServer((request, response) =>
      response.end(`from outside ${request.headers['x-loggia-hops'] ?? ''}`),
    )
    let port = 0
    beforeAll(async () => {
      await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
      port = (site.address() as net.AddressInfo).port
    })
    afterAll(() => {
      site.closeAllConnections()
      site.close()
    })
    const connect: InstanceSpec['connect'] = async (host, wanted) => {
      if (host !== 'outside.test') throw new NotReachable('not this one')
      if (wanted !== 80) throw new Error('refused')
      const socket = net.connect(port, '127.0.0.1')
      await new Promise(resolve => socket.once('connect', resolve))
      return socket
    }
    const ways: [string, string][] = [
      ['fetch', `return (await fetch('http://outside.test/')).text()`],
      [
        'http',
        `return new Promise((ok, no) => require('http').get('http://outside.test/', reply => { let text = ''; reply.on('data', part => text += part).on('end', () => ok(text)) }).on('error', no))`,
      ],
      [
        'a plain socket',
        `return new Promise((ok, no) => { const socket = require('net').connect(80, 'outside.test', () => socket.write('GET / HTTP/1.0\\r\\n\\r\\n')); let text = ''; socket.on('data', part => text += part).on('end', () => ok(text.split('\\r\\n\\r\\n')[1])).on('error', no) })`,
      ],
    ]

    it.each(ways)('goes through the proxy by %s', async (_way, body) => {
      expect(await answerOf(await start(tried(body), { connect }))).toContain('from outside')
    })

    it('speaks TLS with whom the server trusts, and with nobody else', async () => {
      const [key, cert] = ['key.pem', 'cert.pem'].map(name => path.join(folder, name)) as [string, string]
      const wanted = [
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=outside.test',
        '-addext',
        'subjectAltName=DNS:outside.test',
      ]
      execFileSync('openssl', ['req', '-x509', ...wanted, '-keyout', key, '-out', cert], { stdio: 'ignore' })
      const secure = https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) =>
        response.end('in secret'),
      )
      await new Promise<void>(resolve => secure.listen(0, '127.0.0.1', resolve))
      const to = (secure.address() as net.AddressInfo).port
      const dialled: number[] = []
      const connectTo: InstanceSpec['connect'] = async (_host, wanted) => {
        dialled.push(wanted)
        const socket = net.connect(to, '127.0.0.1')
        await new Promise(resolve => socket.once('connect', resolve))
        return socket
      }
      const body = `try { return await (await fetch('https://outside.test/')).text() } catch (error) { return { code: error.cause.code } }`
      const instance = await start(tried(body), { connect: connectTo })
      expect(await answerOf(instance)).toEqual({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
      const before = tls.getCACertificates()
      tls.setDefaultCACertificates([...before, readFileSync(cert, 'utf8')])
      expect(await answerOf(instance)).toBe('in secret')
      tls.setDefaultCACertificates(before)
      expect(dialled).toEqual([443, 443])
      secure.closeAllConnections()
      secure.close()
    })

    it('says how many functions led to what is asked', async () => {
      const instance = await start(
        tried(`return (await fetch('http://outside.test/', { headers: { 'x-loggia-hops': 'forged' } })).text()`),
        { connect },
      )
      const outcome = await instance.call({ id: 'marked', event: '{}', caller: null, timeoutMs: 5_000, mark: 'signed' })
      expect(outcome).toMatchObject({ result: { text: '"from outside signed"' } })
    })

    it.each<[string, string]>([
      ['169.254.169.254', 'http://169.254.169.254/latest/meta-data'],
      ['the machine itself', 'http://127.0.0.1:8080/'],
      ['the machine itself by another name', 'https://[::1]:8080/'],
      ['a name that may not be', 'http://inside.test/'],
    ])('leads to no %s', async (_what, address) => {
      const body = `try { return await (await fetch('${address}')).text() } catch (error) { return { code: error.cause?.code } }`
      expect(await answerOf(await start(tried(body), { connect }))).toEqual({ code: 'EACCES' })
    })

    it('leads to no private address by a plain socket', async () => {
      const body = `return new Promise(ok => { const socket = require('net').connect(6379, '127.0.0.1'); socket.on('data', () => ok('data')).on('error', () => ok('refused')).on('close', () => ok('refused')) })`
      expect(await answerOf(await start(tried(body), { connect }))).toBe('refused')
    })

    it('goes by the rules of the function that asks, whatever another of its project may do', async () => {
      const open = await start(tried(ways[0]?.[1] ?? ''), { connect })
      const closed = await start(
        tried(
          `try { return await (await fetch('http://outside.test/', { headers: { 'x-loggia-copy': '${open.id}' } })).text() } catch (error) { return { code: error.cause?.code } }`,
        ),
        { connect: null },
      )
      expect([await answerOf(open), await answerOf(closed)]).toEqual([
        expect.stringContaining('outside'),
        { code: 'EACCES' },
      ])
    })

    it('leads to no socket of the machine', async () => {
      const server = net.createServer(socket => socket.end('from inside'))
      const at = path.join(folder, 'door.sock')
      await new Promise<void>(resolve => server.listen(at, resolve))
      const body = `return new Promise((ok, no) => require('net').connect('${at}').on('data', part => ok(String(part))).on('error', error => ok({ code: error.code ?? error.name })))`
      expect(await answerOf(await start(tried(body)))).toMatchObject({ code: expect.any(String) })
      await new Promise(resolve => server.close(resolve))
    })
  })
})
