import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { betaPeople } from '../../beta-test/people/contract.ts'
import { mailedAddress, openTestScene, type TestScene } from '../../versions/testing/testing.testkit.ts'

let scene: TestScene
beforeAll(async () => {
  scene = await openTestScene()
})
beforeEach(() => scene.newApp())
afterAll(() => scene.stage.close())

const secretOf = (address: string) => /test\/([^/]+)\//.exec(address)?.[1] ?? ''
const statusOf = async (address: string) =>
  (await scene.stage.app.inject({ url: `${new URL(address).pathname}/index-v2.json` })).statusCode

describe('testers', () => {
  it('have said yes when their repository is used, not when somebody looks at their page, and no ends both', async () => {
    const team = await scene.group('Team', 'INTERNAL', ['ann@example.org', 'bob@example.org'])
    await scene.running([team], { notify: true })
    await scene.stage.settle()
    const [ann, bob] = [
      await mailedAddress(scene.stage, 'ann@example.org'),
      await mailedAddress(scene.stage, 'bob@example.org'),
    ]
    const look = (token: string) =>
      scene.stage.app.inject({ method: 'POST', url: '/cn/store/testing/v1/view', payload: { token } })
    const states = async () => {
      const { list } = await scene.owner.ok(betaPeople, 'listGroupUsers', { params: { groupId: team } })
      return Object.fromEntries(list.map(one => [one.account, one.state]))
    }
    expect((await look(secretOf(ann))).json().versions).toHaveLength(1)
    expect(await states()).toEqual({ 'ann@example.org': 'INVITED', 'bob@example.org': 'INVITED' })
    expect(await statusOf(ann)).toBe(200)
    const url = '/cn/bts/tester/v1/decline'
    await scene.stage.app.inject({ method: 'POST', url, payload: { token: secretOf(bob) } })
    expect(await states()).toEqual({ 'ann@example.org': 'ACCEPTED', 'bob@example.org': 'DECLINED' })
    expect([await statusOf(bob), (await look(secretOf(bob))).statusCode]).toEqual([404, 404])
  })
})
