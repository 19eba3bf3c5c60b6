import { globSync, readdirSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngine, tried } from './engine.testkit.ts'
import { type InstanceSpec, NotReachable } from './port.ts'
import { ProcessEngine } from './processes.ts'
import { canWall } from './sandbox.ts'

const { folder, start, call, answerOf } = openEngine(new ProcessEngine(true))

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
    const install = 'apt-get install bubblewrap'
    expect((await strict.capabilities()).slice(0, 2)).toMatchObject([
      { name: 'start', isThere: false, install },
      { name: 'isolation', isThere: false, install },
    ])
    await strict.close()
  })

  it('code runs all the same when the operator said so', async () => {
    const unwalled = engineThatMay(true)
    expect(await answerOf(await start(greeting, {}, unwalled))).toBe('ran')
    expect((await unwalled.capabilities()).slice(0, 2)).toMatchObject([
      { name: 'start', isThere: true },
      { name: 'isolation', isThere: false, install: 'apt-get install bubblewrap' },
    ])
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
