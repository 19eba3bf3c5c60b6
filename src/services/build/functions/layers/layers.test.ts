import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import yazl from 'yazl'
import { newApp, uploadBytes } from '../../../distribute/packages/packages.testkit.ts'
import { functionsIde } from '../contract.ts'
import { type FunctionStage, openFunctions, publish } from '../functions.testkit.ts'
import { functionLayers } from './contract.ts'

let on: FunctionStage
beforeAll(async () => {
  on = await openFunctions()
})
afterAll(() => on.close())

type Entry = [name: string, content: string | Buffer, options?: object]

/** A zip of these entries; `renamed` puts a name in that no tool would write. */
async function zipOf(entries: Entry[], renamed?: [from: string, to: string]): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  for (const [name, content, options] of entries) zip.addBuffer(Buffer.from(content), name, options)
  zip.end()
  const bytes = await buffer(zip.outputStream)
  return renamed ? Buffer.from(bytes.toString('latin1').replaceAll(...renamed), 'latin1') : bytes
}

const upload = async (bytes: Buffer) => uploadBytes(on.stage, on.owner, bytes, 'layer.zip', 'tmp')
let made = 0
async function createLayer(entries: Entry[], more: object = {}) {
  const body = {
    projectId: on.projectId,
    name: `layer-${++made}`,
    fileKey: await upload(await zipOf(entries)),
    ...more,
  }
  return on.owner.ok(functionLayers, 'createLayer', { body })
}
const tool = (says: string): Entry => ['node_modules/tool/index.js', `module.exports = '${says}'`]
const choose = async (functionId: string, layers: { layerId: string; number: number }[]) => {
  const { function: found } = await on.owner.ok(functionsIde, 'getFunction', { params: { functionId } })
  const body = { revision: found.revision, layers }
  return on.owner.call(functionsIde, 'updateFunction', { params: { functionId }, body })
}
const asking = `exports.handler = async () => { try { return require('tool') } catch (error) { return error.code } }`

describe('a layer', () => {
  it('is required by the code of a function that chose it, also where it was made for others', async () => {
    const { layer } = await createLayer([tool('first')])
    const aws = await createLayer([['nodejs/node_modules/other/index.js', `module.exports = 'other'`]])
    const code = `exports.handler = async () => [require('tool'), require('other'), require('fs').readdirSync('/opt').length > 0]`
    const layers = [layer, aws.layer].map(({ layerId }) => ({ layerId, number: 1 }))
    const { functionName, config } = await on.create(code, { layers })
    expect(config.layers?.map(one => one.name)).toEqual([layer.name, aws.layer.name])
    expect((await on.run(functionName)).result).toEqual(['first', 'other', expect.any(Boolean)])
  })

  it('is imported by standard modules, too', async () => {
    const entries: Entry[] = [
      ['node_modules/modern/package.json', '{"name":"modern","type":"module","exports":"./main.js"}'],
      ['node_modules/modern/main.js', `export default 'imported'`],
    ]
    const { layer } = await createLayer(entries)
    const files = [
      {
        path: 'index.mjs',
        encoding: 'utf8' as const,
        content: `import modern from 'modern'
          const missing = await import('not-there-at-all').catch(error => error.code)
          export const handler = async () => [modern, missing]`,
      },
    ]
    const { functionName } = await on.create('', { files, layers: [{ layerId: layer.layerId, number: 1 }] })
    expect((await on.run(functionName)).result).toEqual(['imported', 'ERR_MODULE_NOT_FOUND'])
  })

  it('gives way to a later one that has the same file, and to what lies beside the code', async () => {
    const [first, second] = [await createLayer([tool('first')]), await createLayer([tool('second')])]
    const { functionId, functionName } = await on.create(asking)
    const results: unknown[] = []
    const [a, b] = [first, second].map(({ layer }) => ({ layerId: layer.layerId, number: 1 }))
    for (const layers of [[], [a!], [a!, b!], [b!, a!]]) {
      expect((await choose(functionId, layers)).status).toBe(200)
      results.push((await on.run(functionName)).result)
    }
    expect(results).toEqual(['MODULE_NOT_FOUND', 'first', 'second', 'first'])
  })

  it('where a file and a folder have one name, gives way as well', async () => {
    const file = await createLayer([['node_modules/tool', 'no folder']])
    const folder = await createLayer([tool('folder')])
    const layers = [file, folder].map(({ layer }) => ({ layerId: layer.layerId, number: 1 }))
    const { functionName } = await on.create(asking, { layers })
    expect((await on.run(functionName)).result).toBe('folder')
  })

  it('has versions that never change, and a published version keeps its own', async () => {
    const { layer, version } = await createLayer([tool('one')])
    const { functionId, functionName } = await on.create(asking, { layers: [{ layerId: layer.layerId, number: 1 }] })
    await publish(on.owner, functionId)
    const params = { name: layer.name }
    const query = { projectId: on.projectId }
    const fileKey = await upload(await zipOf([tool('two')]))
    const next = await on.owner.ok(functionLayers, 'createLayerVersion', { params, query, body: { fileKey } })
    expect([version.number, next.version.number]).toEqual([1, 2])
    const again = await on.owner.ok(functionLayers, 'createLayer', {
      body: { projectId: on.projectId, name: layer.name, fileKey },
    })
    expect(again.version).toEqual(next.version)
    await choose(functionId, [{ layerId: layer.layerId, number: 2 }])
    expect([(await on.run(functionName, {}, '1')).result, (await on.run(functionName)).result]).toEqual(['one', 'two'])
    const { list } = await on.owner.ok(functionLayers, 'listLayerVersions', { params, query })
    expect(list.map(one => [one.number, one.digest === next.version.digest])).toEqual([
      [2, true],
      [1, false],
    ])
  })

  it('goes only when nothing uses it', async () => {
    const { layer } = await createLayer([tool('used')])
    const chosen = { layerId: layer.layerId, number: 1 }
    const { functionId, functionName } = await on.create(asking, { layers: [chosen] })
    await publish(on.owner, functionId)
    await choose(functionId, [])
    const refused = await on.owner.call(functionLayers, 'deleteLayerVersion', { params: chosen })
    expect([refused.status, refused.body.ret.msg]).toEqual([412, expect.stringContaining(`${functionName} 1`)])
    const byName = { params: { name: layer.name }, query: { projectId: on.projectId } }
    expect((await on.owner.call(functionLayers, 'deleteLayer', byName)).status).toBe(412)
    const { users } = await on.owner.ok(functionLayers, 'getLayerVersion', { params: chosen })
    expect(users).toEqual([`${functionName} 1`])
    await on.owner.ok(functionsIde, 'deleteFunction', { params: { functionId }, query: { force: 'true' } })
    await on.owner.ok(functionLayers, 'deleteLayer', byName)
    expect((await on.owner.call(functionLayers, 'getLayerVersion', { params: chosen })).status).toBe(404)
  })

  it('of the team is for its other projects, one of a project is not', async () => {
    const elsewhere = (await newApp(on.owner)).projectId
    const own = await createLayer([tool('own')])
    const shared = await createLayer([tool('shared')], { scope: 'TEAM' })
    const { list } = await on.owner.ok(functionLayers, 'listLayers', { query: { projectId: elsewhere } })
    expect(list.map(one => one.layerId)).toEqual([shared.layer.layerId])
    const body = { projectId: elsewhere, functionName: 'elsewhere', files: [] as never[] }
    const files = [{ path: 'index.js', content: asking, encoding: 'utf8' as const }]
    const attempt = (layerId: string) =>
      on.owner.call(functionsIde, 'createFunctionWithCode', {
        body: { ...body, files, layers: [{ layerId, number: 1 }] },
      })
    expect((await attempt(own.layer.layerId)).body.ret.code).toBe(210404004)
    expect((await attempt(shared.layer.layerId)).status).toBe(200)
    const stranger = await on.stage.person()
    const params = { layerId: shared.layer.layerId, number: 1 }
    expect((await stranger.call(functionLayers, 'getLayerVersion', { params })).status).toBe(404)
    expect((await stranger.call(functionLayers, 'deleteLayerVersion', { params })).status).toBe(404)
    const query = { projectId: on.projectId }
    expect((await stranger.call(functionLayers, 'listLayers', { query })).status).toBe(404)
  })
})

describe('no layer becomes of', () => {
  const evil: Entry = ['xx/evil.js', 'x']
  it.each<[string, () => Promise<Buffer>, string]>([
    ['a file outside', () => zipOf([evil], ['xx/', '../']), 'invalid relative path'],
    ['a path of the machine', () => zipOf([evil], ['xx/evil', '/x/evil']), 'absolute path'],
    ['a link', () => zipOf([['a', '/etc/passwd', { mode: 0o120777 }]]), 'a link'],
    ['a device', () => zipOf([['a', '', { mode: 0o020666 }]]), 'device'],
    ['a bomb', () => zipOf([['a', Buffer.alloc(40_000_000)]]), 'grows more than'],
    ['what is no archive', async () => Buffer.from('no archive'), 'no zip'],
  ])('%s', async (_what, bytes, problem) => {
    const fileKey = await upload(await bytes())
    const body = { projectId: on.projectId, name: `bad-${++made}`, fileKey }
    const reply = await on.owner.call(functionLayers, 'createLayer', { body })
    expect([reply.status, reply.body.ret.code, reply.body.ret.msg]).toEqual([
      400,
      210400011,
      expect.stringContaining(problem),
    ])
    const { total } = await on.owner.ok(functionLayers, 'listLayers', {
      query: { projectId: on.projectId, keyword: body.name },
    })
    expect(total).toBe(0)
  })
})

describe('a function chooses', () => {
  it('no more than five layers, each once, and none that is not there', async () => {
    const { layer } = await createLayer([tool('x')])
    const { functionId } = await on.create(asking)
    const one = { layerId: layer.layerId, number: 1 }
    expect((await choose(functionId, Array(6).fill(one))).status).toBe(400)
    expect((await choose(functionId, [one, one])).status).toBe(400)
    expect((await choose(functionId, [{ ...one, number: 2 }])).status).toBe(404)
    expect((await choose(functionId, [{ layerId: '1', number: 1 }])).status).toBe(404)
  })

  it('none that was made for another runtime', async () => {
    const { layer } = await createLayer([tool('x')], { runtimes: ['isolate'] })
    const { functionId } = await on.create(asking)
    const answer = await choose(functionId, [{ layerId: layer.layerId, number: 1 }])
    expect(answer).toMatchObject({ status: 400, body: { ret: { code: 210400019 } } })
    expect(JSON.stringify(answer.body)).toContain('is for isolate, and the function for nodejs24')
  })

  it('no more bytes than code and layers may have together', async () => {
    // Hard to press, so that none of them is a bomb: half of each part is noise.
    const noise = Buffer.from(Array.from({ length: 64 * 1024 }, () => Math.floor(Math.random() * 256)))
    const part = Buffer.concat([noise, Buffer.alloc(noise.length * 20)])
    const large = Buffer.concat(Array(100).fill(part))
    const layers = await Promise.all(
      ['a', 'b'].map(async name => {
        const { layer } = await createLayer([[`large-${name}`, large]])
        return { layerId: layer.layerId, number: 1 }
      }),
    )
    const { functionId } = await on.create(asking)
    expect((await choose(functionId, layers.slice(0, 1))).status).toBe(200)
    const reply = await choose(functionId, layers)
    expect([reply.status, reply.body.ret.code]).toEqual([413, 210413005])
  })
})

it('an address for a package takes it, and its key names it', async () => {
  const bytes = await zipOf([tool('sent')])
  const wish = await on.owner.ok(functionLayers, 'makeUpload', { body: { fileName: 'tool.zip', size: bytes.length } })
  expect(wish).toMatchObject({ method: 'PUT', fileKey: expect.stringContaining('/') })
  const { pathname, search } = new URL(wish.uploadUrl)
  const headers = { 'content-type': 'application/octet-stream', ...wish.headers }
  const sent = await on.stage.app.inject({ method: 'PUT', url: pathname + search, headers, payload: bytes })
  expect(sent.statusCode).toBe(200)
  const body = { projectId: on.projectId, name: 'sent', fileKey: wish.fileKey }
  const { version } = await on.owner.ok(functionLayers, 'createLayer', { body })
  expect(version.sizeBytes).toBe(bytes.length)
  const code = await upload(await zipOf([['index.js', `exports.handler = async () => 'from a package'`]]))
  const made = await on.owner.ok(functionsIde, 'createFunctionWithCode', {
    body: { projectId: on.projectId, functionName: 'packed', fileKey: code },
  })
  expect((await on.run(made.function.functionName)).result).toBe('from a package')
})
