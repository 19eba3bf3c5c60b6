import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../../../testkit/stage.ts'
import { dgsProjectApis } from '../../../ground/projects/api/contract.ts'
import { apps } from '../../apps/contract.ts'
import type { PackageType } from '../../apps/rules.ts'
import { scopedMember } from '../../apps/scope.testkit.ts'
import { type Moves, openMoves } from '../../apps/transfer/transfer.testkit.ts'
import { series } from '../contract.ts'
import { appRelations } from './contract.ts'
import { relationInSeries } from './rules.ts'

let m: Moves
beforeAll(async () => {
  m = await openMoves()
})
afterAll(() => m.stage.close())

let made = 0
async function app(packageType: PackageType, more: Record<string, unknown> = {}, who = m.owner) {
  const projectId = await m.newProject(who)
  const body = { projectId, name: `Edition ${++made}`, packageType, defaultLang: 'enUS', deviceTypes: [4], ...more }
  return who.ok(apps, 'createApp', { body: body as never })
}
const relationsOf = async (appId: string, who: Person = m.owner) =>
  (await who.ok(appRelations, 'listAppRelations', { query: { appId } })).list

describe('the other edition of a series', () => {
  it.each([
    ['of two that are both shown is an edition', 'DOUBLE', 'ANDROID', 'HARMONY', 'SERIES'],
    ['for HarmonyOS that is shown alone is the successor', 'SINGLE', 'ANDROID', 'HARMONY', 'SUCCESSOR'],
    ['that is not shown any more is the predecessor', 'SINGLE', 'HARMONY', 'ANDROID', 'PREDECESSOR'],
    ['that is hidden as this one is, is an edition', 'SINGLE', 'ANDROID', 'QUICK_APP', 'SERIES'],
    ['that is shown as this one is, is an edition', 'SINGLE', 'HARMONY', 'ATOMIC_SERVICE', 'SERIES'],
  ] as const)('%s', (_says, mode, one, other, relation) => {
    expect(relationInSeries(mode, one, other)).toBe(relation)
  })
})

describe('what an app has to do with others', () => {
  it('are apps of its name or package name for other platforms, until they stand in one series', async () => {
    const android = await app('ANDROID', { packageName: 'org.relations.one' })
    const harmony = await app('HARMONY', { name: `  ${android.name.toUpperCase()} ` })
    const sameId = await app('HARMONY', { packageName: 'org.relations.one' })
    await app('ANDROID', { name: android.name })
    const shown = async () => (await relationsOf(android.appId)).map(one => [one.relation, one.appId])
    expect(await shown()).toEqual([
      ['SAME_PACKAGE_NAME', sameId.appId],
      ['SAME_NAME', harmony.appId],
    ])
    const members = [
      { appId: android.appId, role: 'MAIN' as const },
      { appId: harmony.appId, role: 'SUB' as const },
    ]
    const one = await m.owner.ok(series, 'createSeries', { body: { name: 'Related', apps: members } })
    expect(await shown()).toEqual([
      ['SERIES', harmony.appId],
      ['SAME_PACKAGE_NAME', sameId.appId],
    ])
    await m.stage.sql('CN', `UPDATE app_series SET mode = 'SINGLE', single_in = '{CN}' WHERE series_id = $1`, [
      one.seriesId,
    ])
    const [successor] = await relationsOf(android.appId)
    expect(successor).toMatchObject({
      relation: 'SUCCESSOR',
      series: { seriesId: one.seriesId, name: 'Related', role: 'SUB' },
      countries: ['CN'],
    })
    expect((await relationsOf(harmony.appId))[0]).toMatchObject({ relation: 'PREDECESSOR', appId: android.appId })
    await m.owner.ok(series, 'deleteSeries', { body: { seriesId: one.seriesId, revision: one.revision } })
    expect((await shown())[0]?.[0]).toBe('SAME_PACKAGE_NAME')
  })

  it('is the alliance of stores that its project stands in', async () => {
    const { appId, projectId } = await app('ANDROID')
    const { revision } = await m.owner.ok(dgsProjectApis, 'getAllianceAttr', { query: { projectId } })
    const say = (isMember: boolean, of: number) => ({
      body: { projectId, isMember, allianceName: 'Open stores', contact: '', revision: of },
    })
    const named = await m.owner.ok(dgsProjectApis, 'setAllianceAttr', say(false, revision))
    expect(await relationsOf(appId)).toEqual([])
    await m.owner.ok(dgsProjectApis, 'setAllianceAttr', say(true, named.revision))
    expect(await relationsOf(appId)).toMatchObject([{ relation: 'ALLIANCE', name: 'Open stores', appId: null }])
  })

  it('is the team it came from, told to the team that has it now and not to the next one', async () => {
    const { appId } = await app('ANDROID')
    await m.handedOver([appId])
    const [moved] = await relationsOf(appId, m.taker)
    expect(moved).toMatchObject({ relation: 'MOVED_FROM', appId: null })
    expect(moved?.since).toBeGreaterThan(0)
    const [team] = await m.stage.sql<{ name: string }>('home', 'SELECT name FROM teams WHERE team_id = $1', [
      m.owner.teamId,
    ])
    expect(moved?.team).toBe(team?.name)
    expect((await m.owner.call(appRelations, 'listAppRelations', { query: { appId } })).status).toBe(404)
    const third = await m.stage.person()
    const { body } = await m.hold([appId], third.teamId, m.taker)
    expect((await m.accept(body.moveId, body.revision, await m.newProject(third), third)).status).toBe(200)
    await m.stage.settle()
    const told = await relationsOf(appId, third)
    const [from] = await m.stage.sql<{ name: string }>('home', 'SELECT name FROM teams WHERE team_id = $1', [
      m.taker.teamId,
    ])
    expect(told.map(one => one.team)).toEqual([from?.name])
  })

  it('are the names it got or lost by a claim, with no more of the other team than a claim tells', async () => {
    const [winner, loser] = [await app('ANDROID'), await app('ANDROID', {}, m.taker)]
    const at = m.stage.clock.now()
    await m.stage.sql(
      'home',
      `INSERT INTO package_claims (claim_id, claimant_team_id, app_id, zone, package_type, package_name, name_key,
          holder_team_id, holder_app_id, holder_zone, method, challenge, expected_signers, state, created_by, created_at, updated_at)
        SELECT $1::bigint + n, $2, $3, 'CN', 'ANDROID', 'org.claimed', 'org.claimed', $4, $5, 'CN', 'DOCUMENT', '', '{}', state, $6, $7, $7
        FROM (VALUES (0, 'GRANTED'), (1, 'REFUSED')) AS row (n, state)`,
      [
        m.stage.booted.server.ids.next(),
        m.owner.teamId,
        winner.appId,
        m.taker.teamId,
        loser.appId,
        m.owner.accountId,
        at,
      ],
    )
    expect(await relationsOf(winner.appId)).toMatchObject([
      { relation: 'CLAIMED_FROM', name: 'org.claimed', team: `***${m.taker.teamId.slice(-4)}`, since: at, appId: null },
    ])
    expect(await relationsOf(loser.appId, m.taker)).toMatchObject([
      { relation: 'CLAIMED_BY', name: 'org.claimed', team: `***${m.owner.teamId.slice(-4)}` },
    ])
  })

  it('is told to whoever reaches the app, and of others only those he reaches', async () => {
    const [one, other] = [await app('ANDROID', { name: 'Twin' }), await app('HARMONY', { name: 'Twin' })]
    const limited = await scopedMember(m.stage, m.owner, [one.appId])
    expect(await relationsOf(one.appId, limited)).toEqual([])
    const reply = await limited.call(appRelations, 'listAppRelations', { query: { appId: other.appId } })
    expect(reply.status).toBe(404)
    expect((await relationsOf(one.appId)).map(each => each.appId)).toEqual([other.appId])
  })
})
