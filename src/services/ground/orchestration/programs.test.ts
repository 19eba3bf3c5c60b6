import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idsOf } from '../../../testkit/ids.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { callWith, newClient, tokenOf } from '../api-clients/clients.testkit.ts'

let stage: Stage
let owner: Person
let appId: string
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  owner = await stage.person()
  appId = String((await idsOf(stage, owner))['appId'])
})
afterAll(() => stage.close())

const tokenWith = async (who: Person, ...permissions: string[]) =>
  tokenOf(stage.app, await newClient(who, { permissions }))

async function invoke(token: string, name: string, input: object = {}, headers: Record<string, string> = {}) {
  const url = `/invokeService/${name}`
  const reply = await callWith(stage.app, token, { method: 'POST', url, payload: input, headers })
  return { status: reply.statusCode, body: reply.json() }
}

describe('a program invokes a process', () => {
  it('with its token alone: it gets what its rights reach, and is told in partial what they do not', async () => {
    const { status, body } = await invoke(await tokenWith(owner, 'apps.read'), 'app/getInfo', { appId })
    expect([status, body.data.app.appId]).toEqual([200, appId])
    expect(body.partial).toMatchObject([{ step: 'project', code: 200000032 }])
    const more = await invoke(await tokenWith(owner, 'apps.read', 'projects.read'), 'app/getInfo', { appId })
    expect([more.status, more.body.partial]).toEqual([200, []])
  })

  it('in both addressings, with the names in the payload as well', async () => {
    const token = await tokenWith(owner, 'apps.read')
    const byPath = await invoke(token, 'app/getInfo', { appId })
    const payload = { definitionId: 'app', processId: 'getInfo', appId }
    for (const url of ['/invokeService', '/invokeService/']) {
      const reply = await callWith(stage.app, token, { method: 'POST', url, payload })
      expect(reply.json()).toEqual(byPath.body)
    }
  })

  it('and is refused whole where a step that is needed lacks a right, or is for persons', async () => {
    const token = await tokenWith(owner, 'apps.read')
    const version = await invoke(token, 'app/getCompleteAppInfo', { appId })
    expect([version.status, version.body.step, version.body.code]).toEqual([403, 'version', 200000032])
    const person = await invoke(token, 'user/getUserInfo')
    expect([person.status, person.body.step, person.body.code]).toEqual([403, 'user', 200000031])
  })

  it('and finds nothing of another team: its app is 404, and its header is refused', async () => {
    const stranger = await stage.person()
    const token = await tokenWith(stranger, 'apps.read')
    const { status, body } = await invoke(token, 'app/getInfo', { appId })
    expect([status, body.step, body.code]).toEqual([404, 'app', 204160006])
    expect((await invoke(token, 'app/getInfo', { appId }, { teamid: owner.teamId })).status).toBe(403)
  })

  it('in its own zone only, and not at all with a token that is none', async () => {
    const token = await tokenWith(owner, 'apps.read')
    const abroad = await callWith(stage.app, token, {
      method: 'POST',
      url: '/de/invokeService/app/getInfo',
      payload: { appId },
    })
    expect(abroad.statusCode).toBe(403)
    expect((await invoke(`${token}x`, 'app/getInfo', { appId })).status).toBe(401)
    // The cookie of a person beside it changes nothing.
    expect((await invoke(`${token}x`, 'app/getInfo', { appId }, { cookie: owner.cookie })).status).toBe(401)
    const beside = await invoke(token, 'user/getUserInfo', {}, { cookie: owner.cookie, teamid: owner.teamId })
    expect([beside.status, beside.body.code]).toEqual([403, 200000031])
  })

  it('that writes, once for a key', async () => {
    const token = await tokenWith(owner, 'files.upload')
    const input = { fileName: 'a.png', size: 10, bizTag: 'app_img' }
    const first = await invoke(token, 'file/getFileAuthCode', input, { 'idempotency-key': 'of-a-program' })
    const again = await invoke(token, 'file/getFileAuthCode', input, { 'idempotency-key': 'of-a-program' })
    expect([first.status, again.body.data]).toEqual([200, first.body.data])
  })
})
