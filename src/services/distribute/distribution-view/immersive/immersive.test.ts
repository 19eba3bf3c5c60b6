import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { files } from '../../../ground/files/contract.ts'
import { notices } from '../../../ground/notices/contract.ts'
import { apps } from '../../apps/contract.ts'
import { newApp, uploadBytes } from '../../packages/packages.testkit.ts'
import { immersive, immersiveV2 } from './contract.ts'
import { immersiveDesk } from './desk/contract.ts'

let stage: Stage
let owner: Person
let reviewer: Person

beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  reviewer = await stage.person({ staff: ['reviewer'] })
})
afterAll(() => stage.close())

/** A picture of two colours: the first fills three quarters. */
async function picture(first: string, second: string, width = 1080, height = 1440): Promise<string> {
  const lower = { create: { width, height: height / 4, channels: 3 as const, background: second } }
  const bytes = await sharp({ create: { width, height, channels: 3, background: first } })
    .composite([{ input: await sharp(lower).png().toBuffer(), gravity: 'south' }])
    .png()
    .toBuffer()
  return uploadBytes(stage, owner, bytes, 'hero.png', 'app_img')
}

async function submitted(): Promise<{ appId: string; objectId: string }> {
  const { appId } = await newApp(owner, 'Pictured')
  const objectId = await picture('#1a237e', '#ffcc00')
  await owner.ok(immersive, 'setImmersive', { body: { appId, objectId } })
  await owner.ok(immersive, 'submitImmersive', { body: { appId } })
  return { appId, objectId }
}

const see = (appId: string) => owner.ok(immersive, 'getImmersive', { query: { appId } })

describe('the colours of a picture', () => {
  it('are those it is made of, with their shares and the text that is read on them', async () => {
    const objectId = await picture('#1a237e', '#ffcc00')
    const found = await owner.ok(immersive, 'getColours', { body: { objectId } })
    expect(found).toMatchObject({ dominantColor: '#1a237e', textColor: '#ffffff', width: 1080, height: 1440 })
    const [first, second] = found.palette
    expect([first?.color, second?.color, second?.textColor]).toEqual(['#1a237e', '#ffcc00', '#000000'])
    expect(Math.abs((first?.share ?? 0) - 75)).toBeLessThan(2)
    expect(Math.abs((second?.share ?? 0) - 25)).toBeLessThan(2)
    expect(found.contrast).toBeGreaterThan(4.5)
  })

  it('of what is no picture are not made up', async () => {
    const bytes = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(400, 7)])
    const objectId = await uploadBytes(stage, owner, bytes, 'a.apk', 'app_pkg')
    const reply = await owner.call(immersive, 'getColours', { body: { objectId } })
    expect([reply.status, reply.body.ret.code]).toEqual([422, 202140011])
  })

  it('of another team’s picture are not told', async () => {
    const objectId = await picture('#1a237e', '#ffcc00')
    const stranger = await stage.person()
    expect((await stranger.call(immersive, 'getColours', { body: { objectId } })).status).toBe(404)
    const { appId } = await newApp(stranger, 'Thief')
    expect((await stranger.call(immersive, 'setImmersive', { body: { appId, objectId } })).status).toBe(404)
  })
})

describe('the picture of an app', () => {
  it('takes its colours from the picture unless others are chosen that can be read', async () => {
    const { appId } = await newApp(owner, 'Coloured')
    expect(await see(appId)).toMatchObject({ state: 'DRAFT', objectId: null, passed: null, allowedActions: ['edit'] })
    const objectId = await picture('#1a237e', '#ffcc00')
    const set = (body: object) => owner.call(immersive, 'setImmersive', { body: { appId, objectId, ...body } })
    expect((await set({})).body).toMatchObject({ dominantColor: '#1a237e', textColor: '#ffffff' })
    expect((await set({ dominantColor: '#ffcc00' })).body).toMatchObject({ textColor: '#000000', contrast: 13.88 })
    const low = await set({ dominantColor: '#ffcc00', textColor: '#ffffff' })
    expect([low.status, low.body.ret.code, low.body['better']]).toEqual([422, 202140012, '#000000'])
    expect((await set({ dominantColor: 'red' })).status).toBe(400)
    expect(await owner.ok(immersiveV2, 'getImmersive', { query: { appId } })).toMatchObject({
      objectId,
      dominantColor: '#ffcc00',
    })
  })

  it('is of a size that fills a phone', async () => {
    const { appId } = await newApp(owner, 'Small')
    const objectId = await picture('#1a237e', '#ffcc00', 800, 1200)
    const reply = await owner.call(immersive, 'setImmersive', { body: { appId, objectId } })
    expect([reply.status, reply.body.ret.code]).toEqual([422, 202140010])
    expect(reply.body.ret.msg).toContain('800x1200')
  })

  it('is handed in once there is one, and stays as it is until it is decided', async () => {
    const { appId } = await newApp(owner, 'Empty')
    const empty = await owner.call(immersive, 'submitImmersive', { body: { appId } })
    expect([empty.status, empty.body.ret.code]).toEqual([422, 202140013])
    const one = await submitted()
    const again = await owner.call(immersiveV2, 'submitImmersive', { body: { appId: one.appId } })
    expect([again.status, again.body.ret.code]).toEqual([422, 204160001])
    const edited = await owner.call(immersive, 'setImmersive', { body: one })
    expect([edited.status, edited.body['state']]).toEqual([422, 'AUDITING'])
    expect((await see(one.appId)).allowedActions).toEqual([])
  })

  it('that somebody changed meanwhile is not overwritten', async () => {
    const { appId } = await newApp(owner, 'Raced')
    const objectId = await picture('#1a237e', '#ffcc00')
    const { revision } = await see(appId)
    const body = { appId, objectId, revision }
    const replies = await Promise.all([1, 2].map(() => owner.call(immersive, 'setImmersive', { body })))
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 409])
  })

  it('cannot be deleted as a file while it is shown, and can when it is not', async () => {
    const { appId } = await newApp(owner, 'Held')
    const objectId = await picture('#1a237e', '#ffcc00')
    await owner.ok(immersive, 'setImmersive', { body: { appId, objectId } })
    const remove = async () =>
      (await owner.call(files, 'deleteObjects', { body: { objectIds: [objectId] } })).status === 200
    expect(await remove()).toBe(false)
    await owner.ok(immersive, 'setImmersive', { body: { appId, objectId: null } })
    expect(await remove()).toBe(true)
  })

  it('is prepared only by those who may, and by nobody of another team', async () => {
    const { appId } = await newApp(owner, 'Guarded')
    const developer = await stage.person({ team: owner.teamId, roles: ['developer'] })
    const refused = await developer.call(immersive, 'setImmersive', { body: { appId, objectId: null } })
    expect([refused.status, refused.body.ret.code]).toEqual([403, 204160004])
    expect((await developer.call(immersive, 'getImmersive', { query: { appId } })).status).toBe(200)
  })
})

describe('the review of a picture', () => {
  it('passes it, the store shows it, and it stays shown while the next one is prepared', async () => {
    const { appId, objectId } = await submitted()
    const { list } = await reviewer.ok(immersiveDesk, 'listImmersive', { query: { pageSize: 100 } })
    expect(list.find(one => one.appId === appId)).toMatchObject({ appName: 'Pictured', state: 'AUDITING' })
    await reviewer.ok(immersiveDesk, 'decideImmersive', { body: { appId, verdict: 'APPROVE' } })
    expect(await see(appId)).toMatchObject({ state: 'APPROVED', passed: { objectId, dominantColor: '#1a237e' } })
    const next = await picture('#004d40', '#ffffff')
    await owner.ok(immersive, 'setImmersive', { body: { appId, objectId: next } })
    expect(await see(appId)).toMatchObject({ state: 'DRAFT', objectId: next, passed: { objectId } })
    await stage.settle()
    const inbox = await owner.ok(notices, 'listNotices', { query: {} })
    expect(inbox.list.map(one => one.kind)).toContain('immersive.approved')
    await owner.ok(immersive, 'setImmersive', { body: { appId, objectId: null } })
    expect(await see(appId)).toMatchObject({ objectId: null, passed: null })
  })

  it('refuses it with a note, which the developer reads, and the next one goes its way', async () => {
    const { appId, objectId } = await submitted()
    const reject = (note?: string) =>
      reviewer.call(immersiveDesk, 'decideImmersive', { body: { appId, verdict: 'REJECT', note } })
    const silent = await reject(' ')
    expect([silent.status, silent.body.ret.code]).toEqual([422, 202140014])
    expect((await reject('The logo of somebody else')).status).toBe(200)
    expect(await see(appId)).toMatchObject({ state: 'REJECTED', note: 'The logo of somebody else', passed: null })
    const early = await owner.call(immersive, 'submitImmersive', { body: { appId } })
    expect([early.status, early.body['allowedActions']]).toEqual([422, ['edit']])
    await owner.ok(immersive, 'setImmersive', { body: { appId, objectId, dominantColor: '#ffcc00' } })
    const { state, note } = await owner.ok(immersive, 'submitImmersive', { body: { appId } })
    expect([state, note]).toEqual(['AUDITING', null])
  })

  it('is nothing for a reviewer of the own team, and nothing for who only reads the desk', async () => {
    const own = await stage.person({ staff: ['reviewer'], team: owner.teamId, roles: ['developer'] })
    const operator = await stage.person({ staff: ['storeOperator'] })
    const { appId } = await submitted()
    const body = { appId, verdict: 'APPROVE' as const }
    const conflict = await own.call(immersiveDesk, 'decideImmersive', { body })
    expect([conflict.status, conflict.body.ret.code]).toEqual([403, 202040004])
    expect((await operator.call(immersiveDesk, 'decideImmersive', { body })).status).toBe(403)
    expect((await operator.call(immersiveDesk, 'listImmersive', { query: {} })).status).toBe(200)
    expect((await owner.call(immersiveDesk, 'listImmersive', { query: {} })).status).toBe(403)
  })

  it('is given once by two who decide at the same time', async () => {
    const { appId } = await submitted()
    const replies = await Promise.all([
      reviewer.call(immersiveDesk, 'decideImmersive', { body: { appId, verdict: 'APPROVE' } }),
      reviewer.call(immersiveDesk, 'decideImmersive', { body: { appId, verdict: 'REJECT', note: 'No' } }),
    ])
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 422])
  })

  it('is listed page by page, the longest waiting first', async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await reviewer.ok(immersiveDesk, 'listImmersive', {
        query: { pageSize: 1, ...(cursor ? { cursor } : {}) },
      })
      seen.push(...page.list.map(one => one.appId))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    const { list, total } = await reviewer.ok(immersiveDesk, 'listImmersive', { query: { pageSize: 100 } })
    expect(seen).toEqual(list.map(one => one.appId))
    expect([seen.length, new Set(seen).size]).toEqual([total, total])
  })
})

it('a picture goes with its app when that is purged', async () => {
  const { appId } = await newApp(owner, 'Gone')
  const objectId = await picture('#1a237e', '#ffcc00')
  await owner.ok(immersive, 'setImmersive', { body: { appId, objectId } })
  await owner.ok(apps, 'deleteApp', { query: { appId } })
  await stage.settle()
  stage.clock.turn(31 * 86_400_000)
  await stage.booted.worker.sweep()
  await stage.settle()
  const left = await stage.sql('CN', 'SELECT 1 FROM immersive_pictures WHERE app_id = $1', [appId])
  expect(left).toEqual([])
  const [file] = await stage.sql<{ ref_count: number }>(
    'CN',
    'SELECT ref_count FROM file_objects WHERE object_id = $1',
    [objectId],
  )
  expect(file?.ref_count ?? 0).toBe(0)
})
