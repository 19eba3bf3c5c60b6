import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storageKeys } from '../../../storage/keys/contract.ts'
import { type FunctionStage, openFunctions } from '../../functions.testkit.ts'

const load = createRequire(import.meta.url)
interface Asked {
  endpoint: string
  method: string
  headers: Record<string, string>
  queryParams?: Record<string, string>
  data?: unknown
}
const core = load('@huaweicloud/huaweicloud-sdk-core/auth/AKSKSigner') as {
  AKSKSigner: { sign(asked: Asked, credential: { getAk(): string; getSk(): string }): Record<string, string> }
}

let app: FunctionStage
let address: string
let keys: { ak: string; sk: string }
beforeAll(async () => {
  app = await openFunctions()
  address = await app.stage.listen()
  const body = { projectId: app.projectId, name: 'Kit', services: ['functions' as const] }
  const { key, secretAccessKey } = await app.owner.ok(storageKeys, 'createKey', { body })
  keys = { ak: key.accessKeyId, sk: secretAccessKey }
})
afterAll(() => app.close())

interface Wish {
  method?: string
  path?: string
  query?: Record<string, string>
  data?: unknown
  headers?: Record<string, string>
  ak?: string
  sk?: string
}

/** Signs as the public kit does; what is sent may then be another thing. */
async function send(
  wish: Wish,
  change: (sent: { url: string; init: RequestInit & { headers: Record<string, string> } }) => void = () => {},
) {
  const { method = 'GET', query = {}, data, ak = keys.ak, sk = keys.sk } = wish
  const endpoint = `${address}/v2/${app.projectId}/fgs/${wish.path ?? 'functions'}`
  const asked: Asked = {
    endpoint,
    method,
    queryParams: query,
    headers: { 'content-type': 'application/json', ...wish.headers },
  }
  if (data !== undefined) asked.data = data
  const headers = core.AKSKSigner.sign(asked, { getAk: () => ak, getSk: () => sk })
  const search = new URLSearchParams(query).toString()
  const init = { method, headers, ...(data === undefined ? {} : { body: JSON.stringify(data) }) }
  const sent = { url: search ? `${endpoint}?${search}` : endpoint, init }
  change(sent)
  const reply = await fetch(sent.url, sent.init)
  const text = await reply.text()
  return { status: reply.status, code: text.startsWith('{') ? String(JSON.parse(text).error_code ?? '') : '', text }
}

const at = (ms: number) => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')
const small = { func_name: 'small', runtime: 'Node.js24', handler: 'index.handler', timeout: 3, memory_size: 256 }

describe('a signed request', () => {
  it('is taken as it was signed', async () => {
    expect((await send({ query: { maxitems: '5', func_name: 'a b+c' } })).status).toBe(200)
    expect((await send({ method: 'POST', data: small })).status).toBe(200)
  })

  it.each<[string, Parameters<typeof send>[1]]>([
    ['another method', sent => (sent.init.method = 'DELETE')],
    ['another path', sent => (sent.url = sent.url.replace('/functions', '/quotas'))],
    ['another query', sent => (sent.url += '&marker=1')],
    ['a signed header that was changed', sent => (sent.init.headers['content-type'] = 'text/plain')],
    ['a date that was changed', sent => (sent.init.headers['X-Sdk-Date'] = at(Date.now() - 60_000))],
  ])('is refused with %s', async (_what, change) => {
    const reply = await send({ query: { maxitems: '5' } }, change)
    expect([401, 404]).toContain(reply.status)
    if (reply.status === 401) expect(reply.code).toBe('210401003')
  })

  it('is refused with another body, and with one that it says is not looked at', async () => {
    const other = await send({ method: 'POST', data: { ...small, func_name: 'one' } }, sent => {
      sent.init.body = JSON.stringify({ ...small, func_name: 'two' })
    })
    expect([other.status, other.code]).toEqual([401, '210401003'])
    const headers = { 'X-Sdk-Content-Sha256': 'UNSIGNED-PAYLOAD' }
    const unsigned = await send({ method: 'POST', headers, data: { ...small, func_name: 'one' } })
    expect([unsigned.status, unsigned.code]).toEqual([401, '210401005'])
    const body = { ...small, func_name: 'said' }
    const said = createHash('sha256').update(JSON.stringify(body)).digest('hex')
    expect((await send({ method: 'POST', headers: { 'X-Sdk-Content-Sha256': said }, data: body })).status).toBe(200)
  })

  it.each([
    ['sixteen minutes ago', -16 * 60_000],
    ['in sixteen minutes', 16 * 60_000],
    ['a day ago', -86_400_000],
  ])('is refused when it was signed %s', async (_when, by) => {
    const reply = await send({ headers: { 'X-Sdk-Date': at(Date.now() + by) } })
    expect([reply.status, reply.code]).toEqual([401, '210401004'])
  })

  it('is not taken again once its time is over', async () => {
    let kept: { url: string; init: RequestInit } | undefined
    await send({}, sent => (kept = sent))
    const again = () => fetch(kept?.url ?? '', kept?.init).then(one => one.status)
    expect(await again()).toBe(200)
    app.stage.clock.turn(16 * 60_000)
    expect(await again()).toBe(401)
    app.stage.clock.turn(-16 * 60_000)
  })

  it.each<[string, Wish, string]>([
    ['a key that is not there', { ak: 'LOGAAAAAAAAAAAAAAAAA' }, '210401002'],
    ['a key that is none', { ak: "x' OR 1=1 --" }, '210401002'],
    ['a wrong secret', { sk: 'wrong' }, '210401003'],
  ])('is refused with %s', async (_what, wish, code) => {
    const reply = await send(wish)
    expect([reply.status, reply.code]).toEqual([401, code])
  })

  it.each<[string, Parameters<typeof send>[1], string]>([
    ['without a signature', sent => Reflect.deleteProperty(sent.init.headers, 'Authorization'), '210401001'],
    ['with a token in its place', sent => (sent.init.headers['Authorization'] = 'Bearer x'), '210401001'],
    [
      'whose host is not signed',
      sent => {
        const header = sent.init.headers['Authorization'] ?? ''
        sent.init.headers['Authorization'] = header.replace('host;', '')
      },
      '210401001',
    ],
  ])('is refused %s', async (_what, change, code) => {
    const reply = await send({}, change)
    expect([reply.status, reply.code]).toEqual([401, code])
  })

  it('of another project is told that there is none', async () => {
    const reply = await send({ headers: { 'X-Project-Id': '7' } })
    expect([reply.status, reply.code]).toEqual([404, '204160006'])
  })
})

describe('bad input', () => {
  const create = (more: object) => send({ method: 'POST', data: { ...small, func_name: 'bad-one', ...more } })
  const zipWith = (name: string) => {
    // A stored entry by hand: no library writes such a name.
    const bytes = Buffer.from('x')
    const path = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(20, 4)
    local.writeUInt32LE(0x8cdc1683, 14)
    local.writeUInt32LE(1, 18)
    local.writeUInt32LE(1, 22)
    local.writeUInt16LE(path.length, 26)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(20, 4)
    central.writeUInt16LE(20, 6)
    central.writeUInt32LE(0x8cdc1683, 16)
    central.writeUInt32LE(1, 20)
    central.writeUInt32LE(1, 24)
    central.writeUInt16LE(path.length, 28)
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.writeUInt16LE(1, 8)
    end.writeUInt16LE(1, 10)
    end.writeUInt32LE(46 + path.length, 12)
    end.writeUInt32LE(31 + path.length, 16)
    return Buffer.concat([local, path, bytes, central, path, end]).toString('base64')
  }

  it.each<[string, object, string]>([
    ['no base64', { code_type: 'zip', func_code: { file: 'no base64!' } }, '200000001'],
    ['base64 that is no zip', { code_type: 'zip', func_code: { file: 'bm8gemlw' } }, '210400011'],
    ['a zip that leads out', { code_type: 'zip', func_code: { file: zipWith('../../evil.js') } }, '210400011'],
    [
      'a zip with a name of a book',
      { code_type: 'zip', func_code: { file: zipWith(`${'a/'.repeat(300)}b.js`) } },
      '210400011',
    ],
    ['a zip with a file at the root', { code_type: 'zip', func_code: { file: zipWith('/etc/evil.js') } }, '210400011'],
    ['a zip without the handler', { code_type: 'zip', func_code: { file: zipWith('other.js') } }, '210'],
    ['an unknown code type', { code_type: 'jar', func_code: { file: 'YQ==' } }, '210400015'],
    ['an object without a key', { code_type: 'obs' }, '210400015'],
    ['an object that is not there', { code_type: 'obs', code_url: '../../etc/passwd' }, '200000001'],
    ['an unknown runtime', { runtime: 'Cobol' }, '210400013'],
    ['too little memory', { memory_size: 1 }, '200000001'],
    ['a reserved key', { user_data: '{"NODE_OPTIONS":"--inspect"}' }, '210400012'],
    ['settings that are no JSON', { user_data: '{' }, '200000001'],
    ['a layer that is not there', { depend_version_list: ['7:1'] }, '210404004'],
  ])('%s is refused, and nothing is left', async (_what, more, code) => {
    const reply = await create(more)
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.status).toBeLessThan(504)
    expect(reply.code).toContain(code)
    const { text } = await send({ query: { func_name: 'bad-one' } })
    expect(JSON.parse(text).count).toBe(0)
  })

  it('a body that is no JSON, or is one byte too long, is refused', async () => {
    const to = {
      method: 'POST',
      path: `functions/urn:fss:cn:${app.projectId}:function:default:small:latest/invocations`,
    }
    const long = await send({ ...to, data: 'x'.repeat(6 * 1024 * 1024 - 1) })
    expect([long.status, long.code]).toEqual([413, '210413004'])
    expect((await send({ ...to, data: 'x'.repeat(6 * 1024 * 1024 - 2) })).status).not.toBe(413)
    const later = { ...to, path: `${to.path}-async`, data: 'x'.repeat(1024 * 1024) }
    expect((await send(later)).status).toBe(413)
    expect((await send({ method: 'POST', data: [] })).code).toBe('200000001')
  })
})
