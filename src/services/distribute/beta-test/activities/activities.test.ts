import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../../testkit/stage.ts'
import { day, openTestScene, type TestScene } from '../../versions/testing/testing.testkit.ts'
import { betaGroups } from '../contract.ts'
import { betaPeople } from '../people/contract.ts'
import { betaTester } from '../tester/contract.ts'
import { tokenMailedTo } from '../tokens.testkit.ts'
import { betaActivities, crowdTest } from './contract.ts'

let scene: TestScene
let anybody: Person
beforeAll(async () => {
  scene = await openTestScene()
  anybody = scene.stage.anybody
})
beforeEach(() => scene.newApp())
afterAll(() => scene.stage.close())

const codeOf = (reply: { body: unknown }) => (reply.body as { ret: { code: number } }).ret.code
const { errors } = betaActivities
const wish = (more = {}) => {
  const now = scene.stage.clock.now()
  return { appId: scene.appId, title: 'Try the map', quota: 2, startAt: now, endAt: now + 7 * day, ...more }
}
const create = (more = {}) => scene.owner.ok(betaActivities, 'createActivity', { body: wish(more) })
const move = (activityId: string, action: 'publish' | 'close') =>
  scene.owner.call(betaActivities, 'moveActivity', { params: { activityId }, body: { action } })
const see = (activityId: string) => scene.owner.ok(betaActivities, 'getActivity', { params: { activityId } })
const openOnes = async () =>
  (await anybody.ok(betaTester, 'listOpenActivities', { query: { pageSize: 100 } })).list.map(one => one.activityId)
async function join(activityId: string, account: string) {
  const token = `a${activityId}`
  const asked = await anybody.call(betaTester, 'askToJoin', { body: { token, account, language: 'en' } })
  if (asked.status !== 200) return asked
  await scene.stage.settle()
  return anybody.call(betaTester, 'confirmJoin', { body: { token: await tokenMailedTo(scene.stage, account) } })
}

describe('an activity', () => {
  it('is prepared, shown to everybody once it is open, and joined into its group', async () => {
    const { activityId, groupId, page } = await create({ reward: 'A mug', deviceModels: ['Pixel 9'] })
    expect([page, await openOnes()]).toEqual([null, expect.not.arrayContaining([activityId])])
    expect((await join(activityId, 'early@example.org')).status).toBe(404)
    expect((await move(activityId, 'publish')).body).toMatchObject({
      state: 'RECRUITING',
      allowedActions: ['edit', 'close'],
    })
    expect(await openOnes()).toContain(activityId)
    const seen = await anybody.ok(betaTester, 'viewInvitation', { body: { token: `a${activityId}` } })
    expect(seen).toMatchObject({ kind: 'activity', activity: { reward: 'A mug', placesLeft: 2 } })
    expect((await join(activityId, 'fay@example.org')).status).toBe(200)
    expect((await see(activityId)).joined).toBe(1)
    const { list } = await scene.owner.ok(betaPeople, 'listGroupUsers', { params: { groupId } })
    expect(list.map(user => [user.account, user.state])).toEqual([['fay@example.org', 'ACCEPTED']])
  })

  it('takes no more than it looks for, and more when the number is raised', async () => {
    const { activityId, revision } = await create({ quota: 1 })
    await move(activityId, 'publish')
    expect((await join(activityId, 'one@example.org')).status).toBe(200)
    expect(codeOf(await join(activityId, 'two@example.org'))).toBe(errors.activityFull[0])
    const params = { activityId }
    const body = { quota: 2, revision: revision + 1 }
    await scene.owner.ok(betaActivities, 'updateActivity', { params, body })
    expect(
      (
        await anybody.call(betaTester, 'confirmJoin', {
          body: { token: await tokenMailedTo(scene.stage, 'two@example.org') },
        })
      ).status,
    ).toBe(200)
    const below = { quota: 1, revision: revision + 2 }
    expect(codeOf(await scene.owner.call(betaActivities, 'updateActivity', { params, body: below }))).toBe(
      errors.quotaBelow[0],
    )
  })

  it('takes no more than it looks for when many answer at once', async () => {
    const { activityId } = await create({ quota: 2 })
    await move(activityId, 'publish')
    const accounts = Array.from({ length: 6 }, (_, at) => `many${at}@example.org`)
    const token = `a${activityId}`
    for (const account of accounts) await anybody.ok(betaTester, 'askToJoin', { body: { token, account } })
    await scene.stage.settle()
    const tokens = await Promise.all(accounts.map(account => tokenMailedTo(scene.stage, account)))
    const replies = await Promise.all(
      tokens.map(mailed => anybody.call(betaTester, 'confirmJoin', { body: { token: mailed } })),
    )
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(2)
    expect((await see(activityId)).joined).toBe(2)
  })

  it('ends by its time, tells of it, and is over for who comes late', async () => {
    const { activityId } = await create({ endAt: scene.stage.clock.now() + day })
    await move(activityId, 'publish')
    scene.stage.clock.turn(day)
    expect(await openOnes()).not.toContain(activityId)
    expect((await join(activityId, 'late@example.org')).status).toBe(422)
    await scene.turn(0)
    expect(await see(activityId)).toMatchObject({ state: 'CLOSED', page: null, allowedActions: ['edit', 'delete'] })
    expect(await scene.eventsOf(activityId)).toEqual(['activity.created', 'activity.published', 'activity.ended'])
    expect((await move(activityId, 'publish')).status).toBe(422)
  })

  it.each([
    ['ends before it begins', { endAt: -1 }],
    ['lasts more than ninety days', { endAt: 91 * day }],
  ])('that %s is refused', async (_, { endAt }) => {
    const now = scene.stage.clock.now()
    const reply = await scene.owner.call(betaActivities, 'createActivity', { body: wish({ endAt: now + endAt }) })
    expect([reply.status, codeOf(reply)]).toEqual([422, errors.activityWindow[0]])
  })

  it('is deleted only when it does not recruit; its group is kept until then', async () => {
    const { activityId, groupId } = await create()
    await move(activityId, 'publish')
    const params = { activityId }
    expect((await scene.owner.call(betaActivities, 'deleteActivity', { params })).status).toBe(422)
    const kept = await scene.owner.call(betaGroups, 'deleteGroup', { params: { groupId } })
    expect(codeOf(kept)).toBe(betaGroups.errors.groupRecruits[0])
    await move(activityId, 'close')
    await scene.owner.ok(betaActivities, 'deleteActivity', { params })
    await scene.owner.ok(betaGroups, 'deleteGroup', { params: { groupId } })
  })

  it('is nothing for another team', async () => {
    const { activityId } = await create()
    const stranger = await scene.stage.person()
    const params = { activityId }
    const replies = await Promise.all([
      stranger.call(betaActivities, 'getActivity', { params }),
      stranger.call(betaActivities, 'updateActivity', { params, body: { quota: 9, revision: 1 } }),
      stranger.call(betaActivities, 'moveActivity', { params, body: { action: 'publish' } }),
      stranger.call(betaActivities, 'deleteActivity', { params }),
      stranger.call(betaActivities, 'createActivity', { body: wish() }),
    ])
    expect(replies.map(reply => reply.status)).toEqual([404, 404, 404, 404, 404])
  })
})

describe('crowd test', () => {
  const group = () => ({ ...wish({ quota: 5, reward: '20 CNY', deviceModels: ['Mate 70'] }), name: 'Crowd' })

  it('has other words for the same rows', async () => {
    const made = await scene.owner.ok(crowdTest, 'createGroup', { body: group() })
    expect(made).toMatchObject({ name: 'Crowd', quota: 5, reward: '20 CNY', state: 'RECRUITING', joined: 0 })
    const params = { groupId: made.groupId }
    expect((await scene.owner.ok(betaGroups, 'getGroup', { params })).activityId).toBe(made.activityId)
    const users = [{ account: 'ann@example.org' }]
    await scene.owner.ok(crowdTest, 'addGroupUsers', { params, body: { users } })
    const { list } = await scene.owner.ok(betaPeople, 'listGroupUsers', { params })
    expect(list.map(user => user.account)).toEqual(['ann@example.org'])
    const invited = await scene.owner.ok(crowdTest, 'invite', { body: { groupId: made.groupId } })
    expect(invited.invited).toBe(1)
    const changed = await scene.owner.ok(crowdTest, 'updateGroup', { body: { groupId: made.groupId, quota: 7 } })
    expect([changed.quota, (await see(made.activityId ?? '')).quota]).toEqual([7, 7])
    await scene.group('No crowd', 'EXTERNAL', [])
    expect((await scene.owner.ok(crowdTest, 'listGroups', { query: { appId: scene.appId } })).total).toBe(1)
    await scene.owner.ok(crowdTest, 'deleteGroup', { query: { groupId: made.groupId } })
    expect((await scene.owner.call(betaGroups, 'getGroup', { params })).status).toBe(404)
  })

  it('is joined and left by who has an account, with his own address', async () => {
    const made = await scene.owner.ok(crowdTest, 'createGroup', { body: group() })
    const activityId = made.activityId ?? ''
    const ida = await scene.stage.person()
    await scene.stage.sql('home', 'UPDATE accounts SET email = $2 WHERE account_id = $1', [
      ida.accountId,
      'ida@example.org',
    ])
    const joined = await ida.ok(crowdTest, 'subscribe', { body: { activityId } })
    expect(joined.token).toMatch(/^u/)
    expect(await ida.ok(crowdTest, 'unsubscribe', { body: { activityId } })).toMatchObject({ hasLeft: true })
    expect(await ida.ok(crowdTest, 'unsubscribe', { body: { activityId } })).toMatchObject({ hasLeft: false })
    expect((await ida.call(crowdTest, 'subscribe', { body: {} })).status).toBe(400)
  })

  it('imports people into a group of the app that is named, and of no other', async () => {
    const { groupId } = await scene.owner.ok(crowdTest, 'createGroup', { body: group() })
    const { appId } = scene
    const csv = 'account\nann@example.org'
    await scene.owner.ok(crowdTest, 'importUsers', { body: { appId, groupId, csv } })
    await scene.stage.settle()
    expect((await scene.owner.ok(crowdTest, 'listGroupUsers', { params: { groupId } })).total).toBe(1)
    await scene.newApp()
    const other = await scene.owner.call(crowdTest, 'importUsers', { body: { appId: scene.appId, groupId, csv } })
    expect(other.status).toBe(404)
  })
})
