import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { clues } from './contract.ts'
import type { DataType } from './rules.ts'

let stage: Stage
let member: Person
let staff: Person

beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  member = await stage.person()
  staff = await stage.person({ staff: ['storeOperator'] })
})
afterAll(() => stage.close())

const behavior = (serviceId: string, dataType: DataType = 'agc_service_browsing', visitId?: string) => ({
  body: {
    dataType,
    detail: { serviceId, serviceCode: 'grow/messaging', menuId: '/messages' },
    ...(visitId === undefined ? {} : { visitId }),
  },
})
const isStored = async (who: Person, sent: ReturnType<typeof behavior>) =>
  (await who.ok(clues, 'reportBehavior', sent)).isStored
const rowsOf = (serviceId: string, zone: 'CN' | 'DE' = 'CN') =>
  stage.sql<{ team_id: string | null; data_type: string; session: string }>(
    zone,
    'SELECT team_id, data_type, session FROM clue_behaviors WHERE service_id = $1 ORDER BY data_type',
    [serviceId],
  )

describe('a clue', () => {
  it('is kept once by session, data type and service', async () => {
    expect([
      await isStored(member, behavior('push')),
      await isStored(member, behavior('push')),
      await isStored(member, behavior('push', 'ecology_service_browsing')),
    ]).toEqual([true, false, true])
    const other = await stage.person({ team: member.teamId, roles: ['analyst'] })
    expect(await isStored(other, behavior('push'))).toBe(true)
    const rows = await rowsOf('push')
    expect(rows.map(row => row.team_id)).toEqual([member.teamId, member.teamId, member.teamId])
  })

  it('names nobody: the session is a digest', async () => {
    await isStored(member, behavior('quiet'))
    const [row] = await rowsOf('quiet')
    expect(row?.session).toMatch(/^[\w-]{43}$/)
    expect(member.cookie).not.toContain(row?.session)
  })

  it('of a team that is not in China is accepted and not kept', async () => {
    const german = await stage.person({ zone: 'DE' })
    await stage.sql('home', `UPDATE teams SET country_code = 'DE' WHERE team_id = $1`, [german.teamId])
    expect(await isStored(german, behavior('abroad'))).toBe(false)
    expect([await rowsOf('abroad'), await rowsOf('abroad', 'DE')]).toEqual([[], []])
  })

  it('of a team in China stays in the zone of the team', async () => {
    const far = await stage.person({ zone: 'DE' })
    expect(await isStored(far, behavior('stays'))).toBe(true)
    expect([(await rowsOf('stays')).length, (await rowsOf('stays', 'DE')).length]).toEqual([0, 1])
  })

  it('is of the team in the header only where the caller is a member of it', async () => {
    const stranger = await stage.person()
    const reply = await stranger.call(clues, 'reportBehavior', {
      ...behavior('forged'),
      headers: { teamid: member.teamId },
    })
    expect([reply.status, await rowsOf('forged')]).toEqual([403, []])
  })
})

describe('a clue of somebody not signed in', () => {
  const report = (sent: ReturnType<typeof behavior>, more: { headers?: Record<string, string>; zone?: 'DE' } = {}) =>
    stage.anybody.ok(clues, 'reportAnonymousBehavior', { ...sent, ...more })

  it('is of no team, whatever the header says', async () => {
    await report(behavior('visitor', 'agcp_demoproject_browsing'), { headers: { teamid: member.teamId } })
    expect((await rowsOf('visitor')).map(row => row.team_id)).toEqual([null])
  })

  it('is kept once a visit, and once a day for a browser without an id of the visit', async () => {
    const visit = randomUUID()
    const answers = [
      await report(behavior('once', 'agcp_demoproject_browsing', visit)),
      await report(behavior('once', 'agcp_demoproject_browsing', visit)),
      await report(behavior('once', 'agcp_demoproject_browsing')),
      await report(behavior('once', 'agcp_demoproject_browsing')),
    ]
    expect(answers.map(answer => answer.isStored)).toEqual([true, false, true, false])
  })

  it('is kept in China only', async () => {
    expect(await report(behavior('elsewhere'), { zone: 'DE' })).toMatchObject({ isStored: false })
    expect(await rowsOf('elsewhere', 'DE')).toEqual([])
  })

  it('goes to the team when the visit signs in', async () => {
    const visit = randomUUID()
    await report(behavior('before', 'agcp_demoproject_browsing', visit))
    await report(behavior('of-another', 'agcp_demoproject_browsing', randomUUID()))
    await isStored(member, behavior('after', 'agc_service_browsing', visit))
    expect((await rowsOf('before')).map(row => row.team_id)).toEqual([member.teamId])
    expect((await rowsOf('of-another')).map(row => row.team_id)).toEqual([null])
  })
})

describe('staff', () => {
  const list = (query: object) => staff.ok(clues, 'listBehaviors', { query })

  it('reads what was looked at, page by page, with the names of the teams', async () => {
    for (const at of [1, 2, 3]) await isStored(member, behavior(`paged-${at}`))
    const first = await list({ search: 'paged-', pageSize: 2 })
    expect([first.total, first.list.map(row => row.serviceId)]).toEqual([3, ['paged-3', 'paged-2']])
    const second = await list({ search: 'paged-', pageSize: 2, cursor: first.nextCursor })
    expect([second.list.map(row => row.serviceId), second.nextCursor]).toEqual([['paged-1'], null])
    expect(second.list[0]?.teamName).toBe(`team ${member.loginName}`)
  })

  it('finds by team, service and kind; what was typed is no pattern', async () => {
    await isStored(member, behavior('100%_sure', 'ecology_service_browsing'))
    expect((await list({ search: '%_' })).total).toBe(1)
    expect((await list({ search: member.loginName })).total).toBeGreaterThan(3)
    expect((await list({ dataType: 'ecology_service_browsing', search: 'sure' })).total).toBe(1)
    expect((await list({ dataType: 'agcp_demoproject_browsing', search: 'sure' })).total).toBe(0)
  })
})

describe('bad input', () => {
  it.each([
    ['another data type', { dataType: 'agc_all_browsing' }],
    ['no detail', { detail: undefined }],
    ['a service of 65 characters', { detail: { serviceId: 'x'.repeat(65), serviceCode: 'a', menuId: 'b' } }],
    ['a field nobody knows', { teamId: '1' }],
  ])('%s is refused', async (_what, wrong) => {
    const body = { ...behavior('bad').body, ...wrong } as never
    expect((await member.call(clues, 'reportBehavior', { body })).status).toBe(400)
    expect((await stage.anybody.call(clues, 'reportAnonymousBehavior', { body })).status).toBe(400)
  })

  it('formulas and halves of pairs are kept as text', async () => {
    const detail = { serviceId: '=1+1', serviceCode: 'a\ud800', menuId: '/m\0' }
    await member.ok(clues, 'reportBehavior', { body: { dataType: 'agc_service_browsing', detail } })
    const { list: found } = await staff.ok(clues, 'listBehaviors', { query: { search: '=1+1' } })
    expect(found).toMatchObject([{ serviceId: '=1+1', serviceCode: 'a\ufffd', menuId: '/m' }])
  })

  it('more than thirty a minute are told to wait', async () => {
    const strict = await openStage({ zones: ['CN', 'DE'], rateFactor: 1 })
    try {
      strict.clock.hold()
      const send = () => strict.anybody.call(clues, 'reportAnonymousBehavior', behavior('flood'))
      for (let at = 0; at < 30; at++) expect((await send()).status).toBe(200)
      expect((await send()).status).toBe(429)
    } finally {
      await strict.close()
    }
  })
})

it('what was looked at half a year ago is dropped', async () => {
  await isStored(member, behavior('old'))
  stage.clock.turn(181 * 86_400_000)
  await stage.booted.worker.sweep()
  expect(await stage.sql('CN', 'SELECT 1 FROM clue_behaviors')).toEqual([])
})
