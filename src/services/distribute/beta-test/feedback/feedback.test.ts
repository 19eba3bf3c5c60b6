import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../../testkit/stage.ts'
import { solidPng } from '../../packages/apk/png.testkit.ts'
import { makeZip } from '../../packages/apk/zip.testkit.ts'
import { versionTests } from '../../versions/testing/contract.ts'
import { day, openTestScene, type TestScene } from '../../versions/testing/testing.testkit.ts'
import { betaPeople } from '../people/contract.ts'
import { betaTester } from '../tester/contract.ts'
import { tokenMailedTo } from '../tokens.testkit.ts'
import { betaFeedback } from './contract.ts'
import { feedbackLimits } from './rules.ts'

let scene: TestScene
let anybody: Person
beforeAll(async () => {
  scene = await openTestScene()
  anybody = scene.stage.anybody
})
beforeEach(() => scene.newApp())
afterAll(() => scene.stage.close())

const codeOf = (reply: { body: unknown }) => (reply.body as { ret: { code: number } }).ret.code
const { errors } = betaTester

/** Somebody in a group with a running test, who has said yes unless told. */
async function tester(account: string, { hasAccepted = true } = {}) {
  const groupId = await scene.group(`Group of ${account}`, 'INTERNAL', [account])
  const { versionId } = await scene.running([groupId], { notify: true })
  await scene.stage.settle()
  const token = await tokenMailedTo(scene.stage, account)
  if (hasAccepted) await anybody.ok(betaTester, 'acceptInvitation', { body: { token } })
  return { groupId, versionId, token }
}
const say = (token: string, versionId: string, wish: Record<string, unknown> = {}) =>
  anybody.call(betaTester, 'sendFeedback', { body: { token, versionId, text: 'It crashes.', ...wish } })
const listed = (query = {}) => scene.owner.ok(betaFeedback, 'listFeedback', { query: { appId: scene.appId, ...query } })

async function sendPicture(token: string, versionId: string, bytes = solidPng(8, 8), name = 'shot.png') {
  return sendFile(token, versionId, { bytes, name, extension: 'png' })
}
interface Sent {
  bytes: Buffer
  name: string
  extension: 'png' | 'txt' | 'log' | 'zip'
}
async function sendFile(token: string, versionId: string, { bytes, name, extension }: Sent) {
  const body = { token, versionId, extension }
  const { ticket } = await anybody.ok(betaTester, 'makePictureTicket', { body })
  const path = `/cn/bts/tester/v1/pictures/${ticket}`
  return { path, ...(await post(path, bytes, name)) }
}
async function post(path: string, bytes: Buffer, name: string) {
  const edge = 'xxEDGExx'
  const head = `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`
  const payload = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${edge}--\r\n`)])
  const headers = { 'content-type': `multipart/form-data; boundary=${edge}` }
  const reply = await scene.stage.app.inject({ method: 'POST', url: path, payload, headers })
  return { status: reply.statusCode, objectId: String(reply.json().objectId ?? ''), code: reply.json().ret?.code }
}

describe('what a tester says', () => {
  it('is shown to the developer with its pictures, its device and who said it', async () => {
    const { token, versionId } = await tester('ann@example.org')
    const { objectId } = await sendPicture(token, versionId)
    const device = { model: 'Pixel 9', system: 'Android 16', language: 'de' }
    expect((await say(token, versionId, { device, screenshots: [objectId] })).status).toBe(200)
    const { list, total } = await listed()
    expect([total, list[0]]).toMatchObject([
      1,
      { text: 'It crashes.', device, state: 'NEW', versionId, tester: { account: 'ann@example.org' } },
    ])
    const picture = new URL(list[0]?.screenshots[0] ?? '')
    const seen = await scene.stage.app.inject({ url: picture.pathname + picture.search })
    expect([seen.statusCode, seen.headers['content-type']]).toEqual([200, 'image/png'])
  })

  it('is taken up, resolved, noted, reopened and deleted, as its life says', async () => {
    const { token, versionId } = await tester('ann@example.org')
    await say(token, versionId)
    const [first] = (await listed()).list
    const feedbackId = first?.feedbackId ?? ''
    const move = (action: 'take' | 'resolve' | 'note' | 'reopen', revision: number, note?: string) =>
      scene.owner.call(betaFeedback, 'moveFeedback', { body: { feedbackId, action, revision, ...(note && { note }) } })
    expect((await move('take', 1)).body).toMatchObject({ state: 'IN_PROGRESS' })
    expect((await move('take', 2)).status).toBe(422)
    expect((await move('note', 1, 'Ask Bob')).status).toBe(409)
    expect((await move('note', 2, 'Ask Bob')).body).toMatchObject({ note: 'Ask Bob', state: 'IN_PROGRESS' })
    expect((await move('resolve', 3)).body).toMatchObject({
      state: 'RESOLVED',
      allowedActions: ['reopen', 'note', 'delete'],
    })
    const numbers = await scene.owner.ok(betaFeedback, 'getFeedbackNumbers', { query: { appId: scene.appId } })
    expect(numbers.states).toEqual([{ state: 'RESOLVED', count: 1 }])
    expect((await listed({ state: 'NEW' })).total).toBe(0)
    expect((await listed({ search: 'CRASH', versionId })).total).toBe(1)
    await scene.owner.ok(betaFeedback, 'deleteFeedback', { query: { feedbackId } })
    expect((await listed()).total).toBe(0)
  })

  it('is nothing for another team, and a reader moves none of it', async () => {
    const { token, versionId } = await tester('ann@example.org')
    await say(token, versionId)
    const [one] = (await listed()).list
    const feedbackId = one?.feedbackId ?? ''
    const stranger = await scene.stage.person()
    const body = { feedbackId, action: 'take' as const, revision: 1 }
    expect((await stranger.call(betaFeedback, 'moveFeedback', { body })).status).toBe(404)
    expect((await stranger.call(betaFeedback, 'deleteFeedback', { query: { feedbackId } })).status).toBe(404)
    expect((await stranger.call(betaFeedback, 'listFeedback', { query: { appId: scene.appId } })).status).toBe(404)
    const reader = await scene.stage.person({ team: scene.owner.teamId, roles: ['analyst'] })
    expect((await reader.call(betaFeedback, 'moveFeedback', { body })).status).toBe(403)
  })

  it('tells the team of the first one that nobody has looked at, not of each', async () => {
    const { token, versionId } = await tester('ann@example.org')
    for (let at = 0; at < 3; at++) await say(token, versionId)
    await scene.stage.settle()
    const text = "SELECT 1 FROM notices WHERE kind = 'test.feedback' AND href = $1 AND account_id = $2"
    const rows = await scene.stage.sql('CN', text, [`/apps/${scene.appId}/feedback`, scene.owner.accountId])
    expect(rows).toHaveLength(1)
  })
})

describe('a word is refused', () => {
  it('of who has not said yes, was taken out, or has another test', async () => {
    const { token, versionId } = await tester('shy@example.org', { hasAccepted: false })
    expect(codeOf(await say(token, versionId))).toBe(errors.notTesting[0])
    const ann = await tester('ann@example.org')
    expect(codeOf(await say(ann.token, versionId))).toBe(errors.notTesting[0])
    const people = await scene.owner.ok(betaPeople, 'listGroupUsers', { params: { groupId: ann.groupId } })
    await scene.owner.ok(betaPeople, 'removeUser', { query: { userId: people.list[0]?.userId ?? '' } })
    expect(codeOf(await say(ann.token, ann.versionId))).toBe(errors.notTesting[0])
  })

  it('when the test is over, or its window has passed', async () => {
    const { token, versionId } = await tester('ann@example.org')
    await scene.owner.ok(versionTests, 'stopTest', { body: { versionId } })
    expect(codeOf(await say(token, versionId))).toBe(errors.notTesting[0])
    const bob = await tester('bob@example.org')
    scene.stage.clock.turn(8 * day)
    expect(codeOf(await say(bob.token, bob.versionId))).toBe(errors.notTesting[0])
    await scene.turn(0)
  })

  it('after twenty in a day, however many are sent at once', async () => {
    const { token, versionId } = await tester('loud@example.org')
    const replies = await Promise.all(Array.from({ length: 30 }, () => say(token, versionId)))
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(feedbackLimits.perDay)
    expect(replies.filter(reply => reply.status === 429)).toHaveLength(30 - feedbackLimits.perDay)
    await scene.turn(day)
    expect((await say(token, versionId)).status).toBe(200)
  })

  it('with pictures of somebody else, unknown ones, too many, or one twice', async () => {
    const ann = await tester('ann@example.org')
    const bob = await tester('bob@example.org')
    const { objectId } = await sendPicture(ann.token, ann.versionId)
    expect((await say(bob.token, bob.versionId, { screenshots: [objectId] })).status).toBe(400)
    expect((await say(ann.token, ann.versionId, { screenshots: ['cn/2026112200/none.png'] })).status).toBe(400)
    const many = Array.from({ length: 7 }, (_, at) => `cn/${at}.png`)
    expect((await say(ann.token, ann.versionId, { screenshots: many })).status).toBe(400)
    expect((await say(ann.token, ann.versionId, { screenshots: [objectId] })).status).toBe(200)
    expect((await say(ann.token, ann.versionId, { screenshots: [objectId] })).status).toBe(400)
  })

  it('of more than a thousand characters, or of none', async () => {
    const { token, versionId } = await tester('ann@example.org')
    expect((await say(token, versionId, { text: 'x'.repeat(1001) })).status).toBe(400)
    expect((await say(token, versionId, { text: '   ' })).status).toBe(400)
  })
})

describe('a picture', () => {
  it('is a picture, whatever its name says', async () => {
    const { token, versionId } = await tester('ann@example.org')
    const html = Buffer.from('<html><script>alert(1)</script></html>')
    expect((await sendPicture(token, versionId, html)).status).toBeGreaterThanOrEqual(400)
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
    expect((await sendPicture(token, versionId, svg, 'shot.svg')).status).toBeGreaterThanOrEqual(400)
  })

  it('goes only where the server said, for ten minutes, and its ticket tells no secret', async () => {
    const { token, versionId } = await tester('ann@example.org')
    const { path } = await sendPicture(token, versionId)
    expect(path).not.toContain(token.slice(-20))
    const forged = `${path.slice(0, -3)}AAA`
    expect((await post(forged, solidPng(8, 8), 'shot.png')).code).toBe(errors.pictureTicket[0])
    scene.stage.clock.turn(feedbackLimits.ticketMs)
    expect((await post(path, solidPng(8, 8), 'shot.png')).code).toBe(errors.pictureTicket[0])
    const body = { token: token.replace(/^u\d+/, 'u1'), versionId, extension: 'png' as const }
    expect((await anybody.call(betaTester, 'makePictureTicket', { body })).status).toBe(404)
  })
})

describe('a log', () => {
  const lines = Buffer.from(`${'FATAL EXCEPTION: main – é\n'.repeat(4000)}`)
  const log = (token: string, versionId: string, bytes: Buffer = lines, extension: Sent['extension'] = 'log') =>
    sendFile(token, versionId, { bytes, extension, name: `app.${extension}` })

  it('comes with the words, is read by the developer byte for byte, and goes with them', async () => {
    const { token, versionId } = await tester('ann@example.org')
    const first = await log(token, versionId)
    const packed = await log(token, versionId, makeZip([{ name: 'app.log', data: lines }]), 'zip')
    const { objectId } = await sendPicture(token, versionId)
    const wish = { logs: [first.objectId, packed.objectId], screenshots: [objectId] }
    expect((await say(token, versionId, wish)).status).toBe(200)
    const [one] = (await listed()).list
    expect([one?.logs.length, one?.screenshots.length]).toEqual([2, 1])
    const address = new URL(one?.logs[0] ?? '')
    const seen = await scene.stage.app.inject({ url: address.pathname + address.search })
    expect(seen.rawPayload.equals(lines)).toBe(true)
    expect(seen.headers['content-disposition']).toMatch(/^attachment; filename="log-\d+-1\.log"/)
    const held = () =>
      scene.stage.sql('CN', "SELECT 1 FROM file_objects WHERE state = 'NORMAL' AND object_id = $1", [first.objectId])
    expect(await held()).toHaveLength(1)
    await scene.owner.ok(betaFeedback, 'deleteFeedback', { query: { feedbackId: one?.feedbackId ?? '' } })
    expect(await held()).toHaveLength(0)
  })

  it('is text or an archive, whatever its name says, and no more than ten megabytes', async () => {
    const { token, versionId } = await tester('ann@example.org')
    expect((await log(token, versionId, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]))).code).toBe(errors.noLog[0])
    expect((await log(token, versionId, Buffer.from([0xff, 0xfe, 0x41, 0x42]))).code).toBe(errors.noLog[0])
    expect((await log(token, versionId, Buffer.alloc(feedbackLimits.logBytes + 1, 'a'))).status).toBe(413)
  })

  it('is no picture, and a picture is no log; nobody sends that of somebody else, or more than three', async () => {
    const { token, versionId } = await tester('ann@example.org')
    const bob = await tester('bob@example.org')
    const own = (await log(token, versionId)).objectId
    const picture = (await sendPicture(token, versionId)).objectId
    expect((await say(token, versionId, { screenshots: [own] })).status).toBe(400)
    expect((await say(token, versionId, { logs: [picture] })).status).toBe(400)
    expect((await say(bob.token, bob.versionId, { logs: [own] })).status).toBe(400)
    expect((await say(token, versionId, { logs: ['a', 'b', 'c', 'd'].map(name => `cn/${name}.log`) })).status).toBe(400)
    expect((await say(token, versionId, { logs: [own] })).status).toBe(200)
  })
})
