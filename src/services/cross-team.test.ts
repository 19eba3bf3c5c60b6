import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallSpec, Contract } from '../kernel/contract.ts'
import { headers } from '../kernel/wire.ts'
import { idsOf } from '../testkit/ids.ts'
import { sampleOf } from '../testkit/sample.ts'
import { openStage, type Person, type Stage } from '../testkit/stage.ts'
import { services } from './all.server.ts'
import { recordUse } from './build/storage/use.ts'

/**
 * Every call of a run over one team's things, sent again by everybody who has no business there: the leader of another
 * team, that leader with the team's own header, nobody, and a member without any right. Not a row of the team may
 * change and not an id of it may be told.
 */
interface Recorded {
  title: string
  call: CallSpec
  request: InjectOptions & { headers: Record<string, string> }
}

let stage: Stage
let owner: Person
let powerless: Person
let recorded: Recorded[]
/** What nobody else may be told. */
let secrets: string[]

beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  // The clock alone changes rows, too: a new day is a new row of what each bucket holds.
  stage.booted.worker.stopSweeping()
  owner = await stage.person()
  powerless = await stage.person({ team: owner.teamId, roles: [] })
  const known = await idsOf(stage, owner)
  secrets = [...Object.values(known).flat().map(String), owner.teamId, owner.loginName]
  recorded = []
  const send = stage.app.inject.bind(stage.app)
  const contracts = services.flatMap(one => one.calls.map(({ contract }) => contract))
  for (const contract of contracts) {
    for (const [name, call] of Object.entries(contract.calls)) {
      if (call.who !== 'cp' || call.kind === 'upload' || call.kind === 'socket') continue
      const title = `${call.method} ${contract.prefix}${call.path}`
      const input = {
        params: sampleOf(call.params ?? {}, known),
        query: sampleOf(call.query ?? {}, known),
        ...(call.body ? { body: sampleOf(call.body, known) } : {}),
      }
      stage.app.inject = ((request: InjectOptions) => {
        recorded.push({ title, call, request: request as Recorded['request'] })
        return isRun(contract, call) ? send(request) : ({ statusCode: 0, headers: {}, body: '' } as never)
      }) as never
      await owner.call(contract, name, input as never)
    }
  }
  stage.app.inject = send as never
  await stage.settle()
})
afterAll(() => stage.close())

/** The owner's own run ends nothing, so that there is something left to attack; the attackers send all of it. */
const isRun = (contract: Contract, call: CallSpec) =>
  call.method !== 'DELETE' &&
  contract.name !== 'ground/session' &&
  !/delete|abort|remove|cancel|logout|leave/i.test(call.path)

/** A sum over each row of the team, by table. */
async function rowsOfTeam(): Promise<Record<string, string>> {
  await recordUse(stage.booted.server)
  const sums: Record<string, string> = {}
  for (const database of ['home', 'CN', 'DE'] as const) {
    const tables = await stage.sql<{ name: string }>(
      database,
      `SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'team_id' AND table_schema = 'public'`,
    )
    for (const { name } of tables) {
      const [sum] = await stage.sql<{ sum: string }>(
        database,
        `SELECT count(*) || ' ' || coalesce(md5(string_agg(row::text, '|' ORDER BY row::text)), '') AS sum FROM ${name} row WHERE team_id = $1`,
        [owner.teamId],
      )
      sums[`${database} ${name}`] = sum?.sum ?? ''
    }
  }
  return sums
}

function as(who: Person | null, request: Recorded['request'], teamId: string | null): InjectOptions {
  const own = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !['cookie', headers.csrf, headers.team].includes(name)),
  )
  return {
    ...request,
    headers: {
      ...own,
      ...(who ? { cookie: who.cookie, [headers.csrf]: who.csrfToken } : {}),
      ...(teamId === null ? {} : { [headers.team]: teamId }),
    },
  }
}

/** Sends everything again; answers what was wrong with the answers. */
async function replay(
  change: (one: Recorded) => Promise<InjectOptions>,
  isRight: (status: number, title: string) => boolean,
) {
  const wrong: string[] = []
  for (const one of recorded) {
    const reply = await stage.app.inject(await change(one))
    // What he sent himself may be said back to him.
    const sent = decodeURIComponent(String(one.request.url)) + JSON.stringify(one.request.payload ?? null)
    const told = secrets.filter(secret => !sent.includes(secret) && reply.body.includes(secret))
    if (reply.statusCode >= 500 || told.length > 0 || !isRight(reply.statusCode, one.title))
      wrong.push(`${one.title} answered ${reply.statusCode} ${reply.body.slice(0, 300)}`)
  }
  return wrong
}

describe('a run over the things of a team, sent again', () => {
  it('is long enough to mean something', () => expect(recorded.length).toBeGreaterThan(100))

  it("by another team's leader changes no row of the team and tells none of its ids", async () => {
    const before = await rowsOfTeam()
    let stranger: Person | null = null
    const wrong = await replay(
      async ({ request }) => {
        stranger ??= await stage.person()
        return as(stranger, request, stranger.teamId)
      },
      (status, title) => {
        // What ended a session or a membership of his own must not spare the calls after it.
        if (status < 400 && /session|logout|team|user|password/i.test(title)) stranger = null
        return true
      },
    )
    await stage.settle()
    expect(wrong).toEqual([])
    expect(await rowsOfTeam()).toEqual(before)
  })

  it("by another team's leader with the team's own header is refused", async () => {
    const before = await rowsOfTeam()
    const stranger = await stage.person()
    const ofTeams = recorded.filter(one => one.call.team !== 'none')
    recorded = ofTeams
    const wrong = await replay(
      async ({ request }) => as(stranger, request, owner.teamId),
      status => status === 403,
    )
    expect(wrong).toEqual([])
    expect(await rowsOfTeam()).toEqual(before)
  })

  it('by nobody is 401', async () => {
    const wrong = await replay(
      async ({ request }) => as(null, request, owner.teamId),
      status => status === 401,
    )
    expect(wrong).toEqual([])
  })

  it('by a member without any right changes nothing that needs one', async () => {
    const before = await rowsOfTeam()
    recorded = recorded.filter(one => one.call.may !== 'none')
    const wrong = await replay(
      async ({ request }) => as(powerless, request, owner.teamId),
      status => status === 403,
    )
    expect(wrong).toEqual([])
    expect(await rowsOfTeam()).toEqual(before)
  })
})
