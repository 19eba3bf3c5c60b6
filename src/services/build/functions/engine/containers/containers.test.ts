import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readImage } from '../../images/rules.ts'
import { answerOf, answersAsContracted, call, lastCall } from '../contracted.testkit.ts'
import { CannotStart, type Instance, type InstanceSpec, NotReachable } from '../port.ts'
import { noPodman, openPodman } from './containers.testkit.ts'
import { ContainerEngine } from './containers.ts'

describe('without a container engine', () => {
  it('nothing starts, and the line that installs one is said', async () => {
    const none = new ContainerEngine({ address: 'unix:///nowhere/podman.sock', registries: [], folder: '/nowhere' })
    const [start] = await none.capabilities()
    expect(start).toMatchObject({
      name: 'start',
      isThere: false,
      lack: 'containerEngine',
      install: expect.stringContaining('apt-get install podman'),
    })
    await expect(none.resolve(readImage('localhost/any:1'))).rejects.toThrow('apt-get install podman')
    const off = await new ContainerEngine({ address: 'off', registries: [], folder: '/nowhere' }).capabilities()
    expect(off[0]).toMatchObject({
      isThere: false,
      lack: 'switchedOff',
      why: expect.stringContaining('LOGGIA_CONTAINERS=off'),
    })
  })
})

describe.skipIf(noPodman !== null)(
  noPodman === null ? 'a function from an image' : `a function from an image (skipped: ${noPodman})`,
  () => {
    let pod: Awaited<ReturnType<typeof openPodman>>
    let engine: ContainerEngine
    let digest = ''
    const lines: { requestId: string | null; level: string; line: string }[] = []

    beforeAll(async () => {
      pod = await openPodman()
      engine = new ContainerEngine(pod.engine)
      digest = await engine.resolve(readImage('localhost/answers:1'))
    }, 120_000)
    afterAll(async () => {
      await engine?.close()
      await pod?.close()
    }, 60_000)

    const specOf = (wishes: Partial<InstanceSpec>): InstanceSpec => ({
      ...{ projectId: '1', functionId: '1', functionName: 'measured', version: '7', folder: '', layers: [] },
      ...{ image: { reference: 'localhost/answers:1', digest }, handler: '', initialiser: null, initTimeoutMs: 20_000 },
      ...{ isObject: false, memoryMb: 256, env: {}, connect: null, ...wishes },
    })
    const start = (wishes: Partial<InstanceSpec> = {}): Promise<Instance> =>
      engine.start(specOf(wishes), { log: line => lines.push(line) })
    const faultOf = (wishes: Partial<InstanceSpec>) =>
      start(wishes).catch(error => (error instanceof CannotStart ? error.fault : error))

    answersAsContracted(start)

    describe('in its container', () => {
      let instance: Instance
      beforeAll(async () => {
        instance = await start({})
      })
      afterAll(async () => {
        await instance.stop()
        expect(pod.containers()).toBe(0)
      })

      it('is counted', () => {
        expect(instance.bootMs).toBeGreaterThan(0)
        expect(instance.usage().memMb).toBeGreaterThan(1)
      })

      it('has its lines in the log of the call', async () => {
        expect(await answerOf(instance, { what: 'say', word: 'first' })).toBe('said')
        const own = lines.filter(one => one.requestId === lastCall()).map(one => `${one.level} ${one.line}`)
        expect(own.sort()).toEqual(['error two', 'info one first'])
      })

      it('is nobody on this machine, and writes to /tmp only', async () => {
        expect(await answerOf(instance, { what: 'who' })).toEqual({ uid: 1003, gid: 1003 })
        expect(await answerOf(instance, { what: 'write', at: '/tmp/x' })).toBe('written')
        expect(await answerOf(instance, { what: 'write', at: '/x' })).toMatchObject({
          status: 500,
          body: expect.stringMatching(/EROFS|EACCES/),
        })
      })

      it.each(['http://127.0.0.1:1', 'http://10.0.2.2', 'http://10.88.0.1', 'http://192.0.2.1'])(
        'does not reach %s',
        async url => {
          expect(await answerOf(instance, { what: 'reach', url })).toMatch(/^(ENETUNREACH|ECONNREFUSED)$/)
        },
      )
    })

    describe('asks others by the proxy behind its door', () => {
      const site = http.createServer(async (request, response) => {
        let text = ''
        for await (const part of request) text += part
        response.writeHead(201).end(`${request.method} ${request.headers.host}${request.url} ${text}`)
      })
      let secure: https.Server
      let instance: Instance
      const ports = new Map<string, number>()
      beforeAll(async () => {
        const at = ['key.pem', 'cert.pem'].map(name => path.join(pod.folder, name)) as [string, string]
        const wanted = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=outside.test']
        execFileSync('openssl', ['req', '-x509', ...wanted, '-keyout', at[0], '-out', at[1]], { stdio: 'ignore' })
        secure = https.createServer({ key: readFileSync(at[0]), cert: readFileSync(at[1]) }, (_request, response) =>
          response.end('in secret'),
        )
        for (const [name, server] of Object.entries({ 'outside.test:80': site, 'outside.test:443': secure })) {
          await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
          ports.set(name, (server.address() as net.AddressInfo).port)
        }
        instance = await start({ connect })
      })
      afterAll(async () => {
        await instance?.stop()
        for (const server of [site, secure]) {
          server.closeAllConnections()
          server.close()
        }
      })
      const connect: InstanceSpec['connect'] = async (host, wanted) => {
        if (host !== 'outside.test') throw new NotReachable('not this one')
        const socket = net.connect(ports.get(`${host}:${wanted}`) ?? 1, '127.0.0.1')
        await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
        return socket
      }

      it('in the clear, with a body, through a tunnel, and by TLS to the far end', async () => {
        const url = 'http://outside.test/a?b=c'
        expect(await answerOf(instance, { what: 'ask', url })).toEqual([201, 'GET outside.test/a?b=c '])
        for (const headers of [{}, { expect: '100-continue' }]) {
          const sent = await answerOf(instance, { what: 'ask', url, body: 'text', headers })
          expect(sent).toEqual([201, 'POST outside.test/a?b=c text'])
        }
        expect(await answerOf(instance, { what: 'fetch', url })).toBe('GET outside.test/a?b=c ')
        expect(await answerOf(instance, { what: 'tls', url: 'https://outside.test/' })).toBe('in secret')
      })

      it.each(['169.254.169.254', '10.0.0.1', '[fd00::1]', 'inside.test'])('not of %s', async host => {
        const url = `http://${host}/`
        const refused = [403, 'EACCES: a function may not connect there\n']
        expect(await answerOf(instance, { what: 'ask', url })).toEqual(refused)
        expect(await answerOf(instance, { what: 'tls', url: `https://${host}/` })).toMatch(/^E/)
      })

      it('and learns that nobody answers there', async () => {
        const url = 'http://outside.test:81/'
        expect(await answerOf(instance, { what: 'ask', url })).toEqual([502, 'ECONNREFUSED: nobody answers there\n'])
      })

      it('and past the proxy reaches nothing, nor its own machine through it', async () => {
        for (const [host, port] of [
          ['192.0.2.1', 80],
          ['127.0.0.1', ports.get('outside.test:80')],
        ])
          expect(await answerOf(instance, { what: 'plain', host, port })).toMatch(/^(ENETUNREACH|ECONNREFUSED)$/)
        const url = `http://localhost:${ports.get('outside.test:80')}/`
        expect(await answerOf(instance, { what: 'reach', url })).toBe('ECONNREFUSED')
      })

      it('and where nothing may leave, there is no proxy', async () => {
        const closed = await start({ connect: null })
        expect(await answerOf(closed, { what: 'plain', host: '127.0.0.1', port: 3128 })).toBe('ECONNREFUSED')
        expect(await answerOf(closed, { what: 'reach', url: 'http://outside.test/' })).toMatch(
          /^(EAI_AGAIN|ENOTFOUND)$/,
        )
        await closed.stop()
      })
    })

    it('that takes more memory than it has is told so', async () => {
      const instance = await start({ memoryMb: 128 })
      expect(await call(instance, { what: 'hog' }, 20_000)).toMatchObject({ kind: 'ended', reason: 'outOfMemory' })
    })

    it('that ends is told with the last that it said', async () => {
      const instance = await start({})
      expect(await call(instance, { what: 'crash' })).toMatchObject({
        ...{ kind: 'ended', reason: 'uncaught' },
        error: { message: 'its container ended with 3: out of luck' },
      })
    })

    it('that never listens says why', async () => {
      const deaf = pod.image('deaf:1', `console.error('no port for me'); setInterval(() => 1, 1000)`)
      const image = { reference: deaf, digest: await engine.resolve(readImage(deaf)) }
      expect(await faultOf({ image, initTimeoutMs: 2_000 })).toMatchObject({
        message: 'nothing listened on port 8000 within 2000 ms. It said last: no port for me',
      })
      const ends = pod.image('ends:1', `console.error('no settings'); process.exit(4)`)
      const other = { reference: ends, digest: await engine.resolve(readImage(ends)) }
      expect(await faultOf({ image: other })).toMatchObject({ message: 'its container ended with 4: no settings' })
    })

    it('stays what it was when its name leads elsewhere', async () => {
      pod.podman('tag', 'localhost/answers:1', 'localhost/moves:1')
      const before = await engine.resolve(readImage('localhost/moves:1'))
      pod.podman('tag', 'localhost/deaf:1', 'localhost/moves:1')
      expect(await engine.resolve(readImage('localhost/moves:1'))).not.toBe(before)
      const instance = await start({ image: { reference: 'localhost/moves:1', digest: before } })
      expect(await answerOf(instance, { what: 'echo' })).toMatchObject({ begun: 1 })
      await instance.stop()
    })

    it('comes from a registry that the operator allows, and from no other', async () => {
      const far = `${pod.registry}/team/answers:1`
      pod.podman('tag', 'localhost/answers:1', far)
      pod.podman('push', far)
      pod.podman('rmi', far)
      const allowing = new ContainerEngine({ ...pod.engine, registries: [`${pod.registry}/team`] })
      const from = await allowing.resolve(readImage(far))
      expect(from).toMatch(/^sha256:[0-9a-f]{64}$/)
      const instance = await allowing.start(specOf({ image: { reference: far, digest: from } }), {
        log: () => undefined,
      })
      expect(await answerOf(instance, { what: 'echo' })).toMatchObject({ begun: 1 })
      await allowing.close()
      pod.podman('rmi', far)
      await expect(engine.resolve(readImage(far))).rejects.toThrow('may be fetched from no registry')
      await expect(allowing.resolve(readImage(`${pod.registry}/team/none:1`))).rejects.toThrow(
        'it could not be fetched',
      )
      await expect(allowing.resolve(readImage(`${pod.registry}/others/answers:1`))).rejects.toThrow(
        `may be fetched from ${pod.registry}/team`,
      )
    })

    it('of a server that was killed is removed by the next one, of a living one it stays', async () => {
      const living = await start({})
      const before = pod.containers()
      const spec = JSON.stringify({ ...specOf({}), connect: null })
      const program = `const { ContainerEngine } = await import(${JSON.stringify(`${import.meta.dirname}/containers.ts`)})
      await new ContainerEngine(${JSON.stringify(pod.engine)}).start(${spec}, { log() {} })
      console.log('runs')`
      const killed = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await new Promise(resolve => killed.stdout.once('data', resolve))
      expect(pod.containers()).toBe(before + 2)
      killed.kill('SIGKILL')
      await new Promise(resolve => killed.once('exit', resolve))
      expect(pod.containers()).toBe(before + 2)
      await engine.removeLeftovers()
      expect(pod.containers()).toBe(before)
      expect(await answerOf(living, { what: 'echo' })).toMatchObject({ begun: 1 })
      await living.stop()
    })

    it('that is not there cannot be had', async () => {
      await expect(engine.resolve(readImage('localhost/none:1'))).rejects.toThrow('may be fetched from no registry')
    })
  },
)
