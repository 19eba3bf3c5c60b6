import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { functionAliases } from '../aliases/contract.ts'
import { functionsIde } from '../contract.ts'
import { noPodman, openPodman } from '../engine/containers/containers.testkit.ts'
import { type FunctionStage, openFunctions, source } from '../functions.testkit.ts'
import { functionManage } from '../manage/contract.ts'
import { functionsNewer } from '../newer/contract.ts'

const isSkipped = noPodman !== null
const title = isSkipped ? `functions from images (skipped: ${noPodman})` : 'functions from images'

describe.skipIf(isSkipped)(title, () => {
  let pod: Awaited<ReturnType<typeof openPodman>>
  let app: FunctionStage

  beforeAll(async () => {
    pod = await openPodman()
    app = await openFunctions({ config: { containers: pod.engine.address } })
  }, 120_000)
  afterAll(async () => {
    await app?.close()
    await pod?.close()
  }, 60_000)

  const settings = { timeoutMs: 20_000, initTimeoutMs: 20_000 }
  const bodyOf = (functionName: string, reference: string, more = {}) => ({
    body: { projectId: app.projectId, functionName, image: { reference }, ...settings, ...more },
  })
  const versionsOf = async (name: string) =>
    (await app.owner.ok(functionsIde, 'listVersions', { params: { name }, query: { projectId: app.projectId } })).list

  it('are deployed, called and logged as any other', async () => {
    const { owner, projectId } = app
    const wish = bodyOf('contained', 'localhost/answers:1', { env: { GREETING: 'hello' } })
    const { function: made } = await owner.ok(functionsIde, 'createFunctionWithCode', wish)
    const digest = expect.stringMatching(/^sha256:[0-9a-f]{64}$/)
    expect(made.config).toMatchObject({ runtime: 'image', image: { reference: 'localhost/answers:1', digest } })
    const ran = await app.run('contained', { what: 'echo' })
    expect(ran).toMatchObject({ outcome: 'SUCCESS', result: { event: { what: 'echo' }, begun: 1, env: 'hello' } })
    const said = await app.run('contained', { what: 'say', word: 'hello' })
    expect(said.logs.map(one => `${one.level} ${one.line}`).sort()).toEqual(['error two', 'info one hello'])
    const crashed = await app.run('contained', { what: 'crash' })
    expect([crashed.outcome, crashed.error?.message]).toEqual([
      'CRASH',
      expect.stringMatching(/^its container ended with 3: .*out of luck$/s),
    ])
    expect((await app.run('contained', { what: 'echo' })).result).toMatchObject({ begun: 1 })

    const { list, support } = await owner.ok(functionManage, 'listImages', { query: { projectId } })
    expect(support).toEqual({ canRun: true, why: null, install: null })
    const usedBy = [{ functionName: 'contained', version: '$latest' }]
    expect(list).toEqual([{ imageId: made.config.image?.digest, repository: 'localhost/answers', tag: '1', usedBy }])
  })

  it('keep the image of a version when the name leads elsewhere', async () => {
    const { owner } = app
    pod.podman('tag', 'localhost/answers:1', 'localhost/moving:1')
    const wish = bodyOf('moving', 'localhost/moving:1')
    const { function: made } = await owner.ok(functionsIde, 'createFunctionWithCode', wish)
    const { functionId } = made
    await owner.ok(functionsIde, 'publishVersion', { body: { functionId } })
    const { revision } = (await owner.ok(functionsIde, 'getFunction', { params: { functionId } })).function
    const other = `import http from 'node:http'
      http.createServer((request, reply) => { reply.setHeader('content-type', 'application/json'); reply.end('"other"') }).listen(8000)`
    pod.image('moving:1', other)
    const deployed = await owner.ok(functionsIde, 'updateCode', {
      params: { functionId },
      body: { revision, image: { reference: 'localhost/moving:1' } },
    })
    expect(deployed.function.config.image?.digest).not.toBe(made.config.image?.digest)
    expect(deployed.function.hasChanges).toBe(true)
    expect((await app.run('moving', { what: 'echo' })).result).toBe('other')
    expect(await app.run('moving', { what: 'echo' }, '1')).toMatchObject({ result: { begun: 1 } })
    await owner.ok(functionAliases, 'createAlias', { params: { functionId }, body: { name: 'live', version: '1' } })
    expect((await app.run('moving', { what: 'echo' }, 'live')).result).toMatchObject({ begun: 1 })
    expect((await versionsOf('moving')).map(one => [one.version, one.config.image?.digest])).toEqual([
      ['$latest', deployed.function.config.image?.digest],
      ['1', made.config.image?.digest],
    ])
  })

  it('that cannot run are refused with the reason, and nothing is written', async () => {
    const silent = pod.image('silent:1', `console.error('no settings'); process.exit(4)`)
    const refused: [string, object, number, RegExp][] = [
      ['resize:1', {}, 400, /begin with its registry/],
      ['localhost/none:1', {}, 400, /not on the container engine/],
      ['registry.example.com/team/x:1', {}, 400, /fetched from no registry/],
      [silent, {}, 422, /ended with 4: no settings/],
      ['localhost/answers:1', { env: { INIT: '500' } }, 422, /POST \/init answered 500: no key/],
      [
        'localhost/answers:1',
        { image: { reference: 'localhost/answers:1', digest: `sha256:${'0'.repeat(64)}` } },
        400,
        /leads to sha256:/,
      ],
    ]
    for (const [reference, more, status, words] of refused) {
      const answer = await app.owner.call(functionsIde, 'createFunctionWithCode', bodyOf('refused', reference, more))
      expect([reference, answer.status, JSON.stringify(answer.body)]).toEqual([
        reference,
        status,
        expect.stringMatching(words),
      ])
    }
    const { list } = await app.owner.ok(functionsIde, 'listFunctions', {
      query: { projectId: app.projectId, keyword: 'refused' },
    })
    expect(list).toEqual([])
  })

  it('take nothing that is of code, and code takes no image', async () => {
    const pointers = async (more: object) => {
      const answer = await app.owner.call(
        functionsIde,
        'createFunctionWithCode',
        bodyOf('mixed', 'localhost/answers:1', more),
      )
      return [answer.status, JSON.stringify(answer.body)]
    }
    for (const [more, pointer] of [
      [{ handler: 'index.handler' }, '/handler'],
      [{ files: source('1') }, '/files'],
      [{ functionType: 1 }, '/functionType'],
      [{ runtime: 'nodejs24' }, '/image'],
      [{ runtime: 'image', image: undefined }, '/image'],
    ] as const)
      expect(await pointers(more)).toEqual([400, expect.stringContaining(`"${pointer}"`)])
    const { functionId, revision } = await app.create('exports.handler = () => 1')
    const body = { revision, image: { reference: 'localhost/answers:1' } }
    expect((await app.owner.call(functionsIde, 'updateCode', { params: { functionId }, body })).status).toBe(400)
  })

  it('are made and changed in the words of the field, too', async () => {
    const { owner, projectId } = app
    const body = { func_name: 'worded', runtime: 'Custom Image', handler: '-', timeout: 20, memory_size: 128 }
    const make = (custom_image: object) =>
      owner.call(functionsNewer, 'createNewerFunction', { query: { projectId }, body: { ...body, custom_image } })
    const refused = [await make({ enabled: true }), await make({ image: 'localhost/answers:1', command: '/bin/sh' })]
    expect(refused.map(one => [one.status, JSON.stringify(one.body)])).toEqual([
      [400, expect.stringContaining('"/custom_image/image"')],
      [400, expect.stringContaining('custom_image.command')],
    ])
    const made = await make({ enabled: true, image: 'localhost/answers:1' })
    expect(made.body).toMatchObject({
      ...{ runtime: 'Custom Image', code_type: 'Custom-Image-Swr' },
      custom_image: { enabled: true, image: 'localhost/answers:1' },
    })
    expect((await app.run('worded', { what: 'echo' })).outcome).toBe('SUCCESS')
    pod.podman('tag', 'localhost/answers:1', 'localhost/worded:2')
    const params = { urn: (made.body as { func_urn: string }).func_urn }
    const change = { timeout: 9, custom_image: { enabled: true, image: 'localhost/worded:2' } }
    expect(await owner.ok(functionsNewer, 'changeFunctionConfig', { params, body: change })).toMatchObject({
      timeout: 9,
      custom_image: { image: 'localhost/worded:2' },
    })
  })

  it('have no files to look at', async () => {
    const { function: made } = await app.owner.ok(
      functionsIde,
      'createFunctionWithCode',
      bodyOf('closed', 'localhost/answers:1'),
    )
    const answer = await app.owner.call(functionsIde, 'getCode', { query: { functionId: made.functionId } })
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([412, expect.stringContaining('localhost/answers:1')])
  })

  it('leave no container when they are deleted', async () => {
    const { list } = await app.owner.ok(functionsIde, 'listFunctions', { query: { projectId: app.projectId } })
    for (const { functionId } of list)
      await app.owner.ok(functionsIde, 'deleteFunction', { params: { functionId }, query: { force: 'true' } })
    await app.stage.settle()
    await expect.poll(() => pod.containers(), { timeout: 20_000 }).toBe(0)
  })
})
