import { execFile, execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type ConfigStage,
  condition,
  inCountry,
  openConfig,
  parameter,
} from '../services/grow/remote-config/config.testkit.ts'
import { openStage, type Stage } from '../testkit/stage.ts'
import { type ConfigOptions, RemoteConfig, type Update } from './index.ts'
import { kept, type Line, openLine } from './line.testkit.ts'

let stage: Stage
let config: ConfigStage
let line: Line
const endings: (() => void)[] = []

beforeAll(async () => {
  stage = await openStage()
  const origin = await stage.listen()
  line = await openLine(origin)
})
beforeEach(async () => {
  Object.assign(line, { isCut: false, passed: [] })
  config = await openConfig(stage)
})
afterEach(() => {
  for (const end of endings.splice(0)) end()
})
afterAll(async () => {
  await line.close()
  await stage.close()
})

const open = (more: Partial<ConfigOptions> = {}) => new RemoteConfig({ url: line.url, apiKey: config.apiKey, ...more })

const greeting = (text: string) => ({ parameters: { greeting: parameter(text) } })

describe('an app with the client', () => {
  it('reads each value as the kind of its fallback, and the fallback where there is none of that kind', async () => {
    await config.publish({
      parameters: {
        ...{ text: parameter('hello'), on: parameter('true', { valueType: 'BOOLEAN' }) },
        ...{ many: parameter('7.5', { valueType: 'NUMBER' }), list: parameter('[1,2]', { valueType: 'JSON' }) },
      },
    })
    const client = open()
    expect(await client.fetchAndActivate()).toEqual({ status: 'fetched', version: '1' })
    expect([client.value('text', ''), client.value('on', false), client.value('many', 0)]).toEqual(['hello', true, 7.5])
    expect(client.value('list', [0])).toEqual([1, 2])
    expect([client.value('text', 3), client.value('list', { a: 1 }), client.value('text', true)]).toEqual([
      3,
      { a: 1 },
      true,
    ])
    expect([client.value('constructor', 'none'), client.value('missing', null)]).toEqual(['none', null])
  })

  it('changes no value before it is put into force, and asks no sooner than the project wants', async () => {
    await config.publish(greeting('one'))
    const client = open()
    await client.fetch()
    expect([client.version, client.value('greeting', 'none')]).toEqual([null, 'none'])
    expect([client.activate(), client.value('greeting', 'none'), client.activate()]).toEqual([true, 'one', false])
    await config.publish(greeting('two'))
    expect(await client.fetchAndActivate()).toEqual({ status: 'throttled', version: '1' })
    expect(line.passed).toEqual(['POST /rcs/v1/config 200'])
  })

  it('asks at once as somebody else, and gets what conditions say to that one', async () => {
    await config.publish({
      conditions: [condition('cn', inCountry('CN'))],
      parameters: { greeting: parameter('hello', { conditional: { cn: { value: '你好' } } }) },
    })
    const client = open({ context: { 'device.country': 'DE' } })
    await client.fetchAndActivate()
    client.setContext({ 'device.country': 'CN' })
    expect(client.value('greeting', '')).toBe('hello')
    expect((await client.fetchAndActivate()).status).toBe('fetched')
    expect(client.value('greeting', '')).toBe('你好')
  })

  it('is told that nothing changed without being sent it again, and several fetches at once are one', async () => {
    await config.publish(greeting('one'))
    const client = open({ isDebug: true })
    const all = await Promise.all([client.fetch(), client.fetch(), client.fetch()])
    expect(all.map(one => one.status)).toEqual(['fetched', 'fetched', 'fetched'])
    expect((await client.fetch()).status).toBe('unchanged')
    expect(line.passed).toEqual(['POST /rcs/v1/config 200', 'POST /rcs/v1/config 304'])
  })

  it('starts with what the last run kept when there is no network, but not with what somebody else was given', async () => {
    await config.publish(greeting('one'))
    const store = kept()
    await open({ store, context: { targetingKey: 'ann' } }).fetch()
    line.cut()
    const again = open({ store, context: { targetingKey: 'ann' } })
    await again.ready()
    expect(again.value('greeting', 'none')).toBe('one')
    const other = open({ store, context: { targetingKey: 'bob' } })
    await other.ready()
    expect(other.value('greeting', 'none')).toBe('none')
    const { status, version, reason } = await other.fetch()
    expect([status, version, typeof reason]).toEqual(['failed', null, 'string'])
    line.isCut = false
    expect((await other.fetch()).status).toBe('throttled')
  })

  it('throws at nothing but an address or a key that can be none', async () => {
    expect(() => open({ url: 'console.example.com' })).toThrow('url: ')
    expect(() => open({ apiKey: '' })).toThrow('apiKey: ')
    const refused = await open({ apiKey: 'lgk_nobody_has_such_a_key_at_all' }).fetch()
    expect([refused.status, refused.version]).toEqual(['failed', null])
    const broken = { get: () => 'not json', set: () => Promise.reject(new Error('full')) }
    await config.publish(greeting('one'))
    const client = open({ store: broken })
    expect((await client.fetchAndActivate()).status).toBe('fetched')
    expect(client.value('greeting', '')).toBe('one')
  })
})

describe('an app that listens', () => {
  const wait = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 50 })

  it('hears what changed by a new version, over a cut too, and nothing after it ended', async () => {
    await config.publish(greeting('one'))
    const client = open()
    await client.fetchAndActivate()
    const heard: Update[] = []
    const end = client.listen(update => {
      heard.push(update)
      client.activate()
    })
    endings.push(end)
    await wait(() => expect(line.passed).toContain('GET /rcs/v1/stream 200'))
    await config.publish(greeting('two'))
    await wait(() => expect(client.value('greeting', '')).toBe('two'))
    expect(heard).toEqual([{ version: '2', keys: ['greeting'] }])

    line.cut()
    await config.publish({ parameters: { greeting: parameter('three'), more: parameter('x') } })
    line.isCut = false
    await wait(() => expect(client.value('greeting', '')).toBe('three'))
    expect(heard.at(-1)).toEqual({ version: '3', keys: ['greeting', 'more'] })

    end()
    const before = line.passed.length
    await config.publish(greeting('four'))
    await stage.heard('CN')
    expect([line.passed.length, client.value('greeting', '')]).toEqual([before, 'three'])
  })
})

describe('the package', () => {
  it('is below 8 kB compressed, and runs in plain Node by its name', async () => {
    await config.publish(greeting('one'))
    const folder = mkdtempSync(path.join(tmpdir(), 'loggia-client-'))
    try {
      const made = path.join(folder, 'node_modules/@loggia/client')
      mkdirSync(made, { recursive: true })
      const root = new URL('../../', import.meta.url).pathname
      execFileSync(process.execPath, ['tools/build-client.ts', made], { cwd: root, stdio: 'pipe' })
      const code = globSync(path.join(made, '*.js')).map(file => readFileSync(file))
      expect(gzipSync(Buffer.concat(code)).length).toBeLessThan(8_000)
      expect(readFileSync(path.join(made, 'app-events.d.ts'), 'utf8')).toContain('export declare class AppEvents')
      expect(readFileSync(path.join(made, 'index.d.ts'), 'utf8')).toContain('export declare class RemoteConfig')
      writeFileSync(
        path.join(folder, 'app.mjs'),
        `import { RemoteConfig } from '@loggia/client'
        import { AppEvents } from '@loggia/client/events'
        const to = ${JSON.stringify({ url: line.url, apiKey: config.apiKey })}
        const config = new RemoteConfig(to)
        const events = new AppEvents({ ...to, unit: 'ada' })
        events.track('opened')
        console.log((await config.fetchAndActivate()).status, config.value('greeting', 'none'), (await events.flush()).status)`,
      )
      const said = await new Promise<string>((resolve, reject) =>
        execFile(process.execPath, ['app.mjs'], { cwd: folder }, (error, out) =>
          error ? reject(error) : resolve(out),
        ),
      )
      expect(said.trim()).toBe('fetched one sent')
    } finally {
      rmSync(folder, { recursive: true })
    }
  }, 60_000)
})
