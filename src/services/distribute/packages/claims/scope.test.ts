import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { members } from '../../../ground/teams/members/contract.ts'
import { apps } from '../../apps/contract.ts'
import { newApp } from '../packages.testkit.ts'
import { claims } from './contract.ts'

/** A member whose rights hold for a project, or for an app, has to do with the claims about them only. */
let stage: Stage
let holder: Person
let leader: Person
let limited: Person
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  holder = await stage.person()
  leader = await stage.person()
})
afterAll(() => stage.close())

let made = 0
const evidence = 'The trademark 123 is ours.'

async function held(by: Person): Promise<{ appId: string; projectId: string; packageName: string }> {
  const app = await newApp(by, 'Holder', 'HARMONY')
  const packageName = `com.example.within${++made}`
  const { revision } = await by.ok(apps, 'getApp', { query: { appId: app.appId } })
  await by.ok(apps, 'updatePackageName', { body: { appId: app.appId, packageName, revision } })
  return { ...app, packageName }
}

const claimBody = (appId: string, packageName: string) => ({
  body: { appId, packageName, method: 'DOCUMENT' as const, evidence },
})

async function limit(of: Person, scope: { projects: string[]; apps: string[] }): Promise<Person> {
  const person = await stage.person({ team: of.teamId, roles: ['administrator'] })
  await stage.settle()
  const body = { accountId: person.accountId, roles: ['administrator'], scope, revision: 1 }
  await of.ok(members, 'setUserPermission', { body })
  return person
}

const seenBy = async (person: Person) => (await person.ok(claims, 'listClaims', {})).list.map(one => one.claimId).sort()

describe('a member whose rights hold for a project and an app', () => {
  it('claims for apps of his reach, and for no others', async () => {
    const inside = await newApp(leader, 'Inside', 'HARMONY')
    const single = await newApp(leader, 'Single', 'HARMONY')
    const outside = await newApp(leader, 'Outside', 'HARMONY')
    limited = await limit(leader, { projects: [inside.projectId], apps: [single.appId] })
    for (const { appId } of [inside, single]) {
      const { packageName } = await held(holder)
      expect((await limited.call(claims, 'createClaim', claimBody(appId, packageName))).status).toBe(200)
    }
    const { packageName } = await held(holder)
    expect((await limited.call(claims, 'createClaim', claimBody(outside.appId, packageName))).status).toBe(404)

    const own = await seenBy(limited)
    const { claimId } = await leader.ok(claims, 'createClaim', claimBody(outside.appId, packageName))
    expect(own).toHaveLength(2)
    expect(await seenBy(limited)).toEqual(own)
    expect(await seenBy(leader)).toEqual([...own, claimId].sort())
    expect((await limited.ok(claims, 'listClaims', {})).total).toBe(2)
    expect((await limited.ok(claims, 'listClaims', { query: { claimId } })).total).toBe(0)
    const replies = [
      await limited.call(claims, 'withdrawClaim', { query: { claimId } }),
      await limited.call(claims, 'proveClaim', { body: { claimId } }),
    ]
    expect(replies.map(reply => reply.status)).toEqual([404, 404])
    expect((await limited.ok(claims, 'withdrawClaim', { query: { claimId: own[0]! } })).state).toBe('CANCELED')
    expect((await leader.ok(claims, 'withdrawClaim', { query: { claimId } })).state).toBe('CANCELED')
  })

  it('reaches the claims of his apps in the other zones, too', async () => {
    const far = await leader.ok(claims, 'listClaims', {})
    const inside = far.list.find(one => one.state !== 'CANCELED')!
    await stage.sql('home', `UPDATE package_claims SET zone = 'DE' WHERE claim_id = $1`, [inside.claimId])
    const german = { zone: 'DE' as const }
    expect((await limited.ok(claims, 'listClaims', german)).total).toBe(1)
    await stage.sql('home', `UPDATE package_claims SET zone = 'CN' WHERE claim_id = $1`, [inside.claimId])
    expect((await limited.ok(claims, 'listClaims', german)).total).toBe(2)
  })

  it('objects to claims of the names of his apps, and sees no others made against the team', async () => {
    const near = await held(leader)
    const away = await held(leader)
    const person = await limit(leader, { projects: [near.projectId], apps: [] })
    const ids: string[] = []
    for (const { packageName } of [near, away]) {
      const { appId } = await newApp(holder, 'Wants', 'HARMONY')
      ids.push((await holder.ok(claims, 'createClaim', claimBody(appId, packageName))).claimId)
    }
    const [reached, other] = ids as [string, string]
    await stage.sql('home', `UPDATE package_claims SET state = 'NOTICE', notice_until = $2 WHERE claim_id = ANY ($1)`, [
      ids,
      stage.clock.now() + 1_000_000,
    ])
    expect(await seenBy(person)).toEqual([reached])
    const object = (claimId: string) => person.call(claims, 'objectToClaim', { body: { claimId, reason: evidence } })
    expect((await object(other)).status).toBe(404)
    expect((await object(reached)).body.state).toBe('OBJECTED')
  })
})
