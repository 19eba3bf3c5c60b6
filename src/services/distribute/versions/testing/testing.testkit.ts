import { openStage, type Person, type Stage, type StageOptions } from '../../../../testkit/stage.ts'
import { betaGroups } from '../../beta-test/contract.ts'
import { betaPeople } from '../../beta-test/people/contract.ts'
import { newApp, type PackageWish, putPackage } from '../versions.testkit.ts'
import { versionTests } from './contract.ts'

export const day = 86_400_000

/** What tests of the test lane do over and over, for one owner whose session goes on with the clock. */
export async function openTestScene(options: StageOptions = {}) {
  const stage = await openStage(options)
  let code = 100
  const at: { owner: Person; appId: string } = { owner: await stage.person(), appId: '' }
  const draft = async (appId = at.appId, wish: Partial<PackageWish> = {}) => {
    const versionCode = wish.versionCode ?? ++code
    const pkgId = await putPackage(stage, at.owner, { ...wish, appId, versionCode })
    const packageName = `com.example.a${appId}`
    await stage.sql('CN', 'UPDATE packages SET package_name = $2 WHERE pkg_id = $1', [pkgId, packageName])
    const body = { appId, pkgId, testDesc: 'Look at the start page' }
    return at.owner.ok(versionTests, 'createTestVersion', { body })
  }
  const release = (versionId: string, groupIds: string[], wish: Record<string, unknown> = {}) =>
    at.owner.ok(versionTests, 'releaseTest', {
      body: { versionId, groupIds, endAt: stage.clock.now() + 7 * day, ...wish },
    })
  return Object.assign(at, {
    stage,
    draft,
    release,
    newApp: async () => {
      at.appId = (await newApp(at.owner)).appId
    },
    group: async (name: string, kind: 'INTERNAL' | 'EXTERNAL', accounts: string[], appId = at.appId) => {
      const { groupId } = await at.owner.ok(betaGroups, 'createGroup', { body: { appId, name, kind } })
      const users = accounts.map(account => ({ account }))
      if (users.length > 0) await at.owner.ok(betaPeople, 'addGroupUsers', { params: { groupId }, body: { users } })
      return groupId
    },
    /** A draft of a new package, given to groups. */
    running: async (groupIds: string[], wish: Record<string, unknown> = {}) =>
      release((await draft()).versionId, groupIds, wish),
    see: (versionId: string) => at.owner.ok(versionTests, 'getTestVersion', { query: { versionId } }),
    /** Time goes on; the session would run out with it. */
    turn: async (ms: number) => {
      await stage.settle()
      stage.clock.turn(ms)
      await stage.booted.worker.sweep()
      await stage.settle()
      at.owner = await stage.person({ team: at.owner.teamId, roles: ['leader'] })
    },
    eventsOf: async (entityId: string) => {
      const text = 'SELECT type FROM outbox WHERE entity_id = $1 ORDER BY event_id'
      return (await stage.sql<{ type: string }>('CN', text, [entityId])).map(row => row.type)
    },
  })
}

export type TestScene = Awaited<ReturnType<typeof openTestScene>>

/** The address that was mailed to somebody last. */
export async function mailedAddress(stage: Stage, account: string): Promise<string> {
  const mail = (await stage.mails()).findLast(one => one.to === account)
  const found = /https?:\S+\/repo/.exec(mail?.text ?? '')
  if (!found) throw new Error(`${account} was not mailed an address`)
  return found[0]
}
