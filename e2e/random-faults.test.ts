import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headers } from '../src/kernel/wire.ts'
import { apps } from '../src/services/distribute/apps/contract.ts'
import { versions } from '../src/services/distribute/versions/contract.ts'
import { files } from '../src/services/ground/files/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { Cluster, type Member } from './cluster.ts'
import { until, type Visitor } from './loggia.ts'
import { killPostgresOf } from './postgres-pid.ts'
import { draftRelease } from './releases.ts'

/**
 * Three servers over one PostgreSQL under a mixed load, and 200 times `kill -9` of a server, be it up or still on its
 * way, of the one that is at work on a job, or of PostgreSQL. Afterwards no acknowledged write is lost, no state has no
 * owner, nothing was done twice.
 */
const kills = 200
const gapMs = 700

let cluster: Cluster
let leader: Visitor
beforeAll(async () => {
  cluster = await Cluster.start(3)
  leader = await cluster.signIn('administrator')
})
afterAll(() => cluster.close())

/** The same numbers in each run, so that a failure can be looked at again. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
const chance = numbersFrom(20_261_121)
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

let isOn = true
const anywhere = () => leader.at(pick(cluster.members).url)

/** Calls until it is acknowledged, each time at some server, with one idempotency key. */
async function insist(
  act: (visitor: Visitor, key: string) => Promise<{ status: number; body: Record<string, unknown> }>,
) {
  const key = randomUUID()
  for (;;) {
    const reply = await act(anywhere(), key).catch(() => ({ status: 0, body: {} as Record<string, unknown> }))
    // 409 while the first try with this key still runs, or has just died.
    if (reply.status !== 0 && reply.status < 500 && reply.status !== 409) return reply
    await pause(150)
  }
}

const made = new Map<string, string>()
async function makesProjects(): Promise<void> {
  // A team has at most 100 projects.
  for (let number = 0; isOn && number < 95; number++) {
    const name = `Fault ${number}`
    const reply = await insist((visitor, key) =>
      visitor.call(projects, 'createProject', { body: { name }, headers: { [headers.idempotencyKey]: key } }),
    )
    if (reply.status !== 200) throw new Error(`createProject answered ${JSON.stringify(reply)}`)
    made.set(String(reply.body['projectId']), name)
    await pause(1_500)
  }
}

const appsMade = new Set<string>()
async function makesApps(projectId: string): Promise<void> {
  for (let number = 0; isOn; number++) {
    const body = {
      projectId,
      name: `Fault app ${number}`,
      packageType: 'ANDROID' as const,
      defaultLang: 'enUS' as const,
      deviceTypes: [4],
      kindMainTag: 10101,
    }
    const reply = await insist((visitor, key) =>
      visitor.call(apps, 'createApp', { body, headers: { [headers.idempotencyKey]: key } }),
    )
    if (reply.status !== 200) throw new Error(`createApp answered ${JSON.stringify(reply)}`)
    appsMade.add(String(reply.body['appId']))
    await pause(500)
  }
}

/** A register: each write names the revision it read; the acknowledged ones are in the order of their revisions. */
const renamed: { name: string; revision: number }[] = []
async function renames(projectId: string): Promise<void> {
  for (let number = 0; isOn; number++) {
    try {
      const visitor = anywhere()
      const { revision } = await visitor.ok(projects, 'getProject', { query: { projectId } })
      const name = `Register ${number}`
      const reply = await visitor.call(projects, 'updateProject', { body: { projectId, name, revision } })
      if (reply.status === 200) renamed.push({ name, revision: Number(reply.body['revision']) })
    } catch {
      // Unknown whether it was done: the next read tells.
    }
    await pause(200)
  }
}

const stored = new Map<string, string>()
async function uploads(): Promise<void> {
  while (isOn) {
    const bytes = randomBytes(20_000 + Math.floor(Math.random() * 400_000))
    const objectId = await anywhere()
      .upload(bytes, 'fault.bin', 'app_pkg')
      .catch(() => '')
    if (objectId !== '') stored.set(objectId, createHash('sha256').update(bytes).digest('hex'))
    await pause(300)
  }
}

async function submitsAndWithdraws(release: { appId: string; versionId: string }): Promise<void> {
  const { versionId } = release
  while (isOn) {
    for (const name of ['submitVersion', 'withdrawVersion'] as const) {
      await anywhere()
        .call(versions, name, { body: { versionId } })
        .catch(() => null)
      await pause(250)
    }
  }
}

/** Which process to kill next: PostgreSQL, the server that works on a job, or any, be it up or still on its way. */
async function victim(): Promise<'postgres' | Member> {
  const luck = chance()
  if (luck < 0.3) return 'postgres'
  if (luck < 0.55) {
    const rows = await cluster
      .sql<{ pid: string }>('CN', `SELECT split_part(owner, '-', 1) AS pid FROM jobs WHERE state = 'running' LIMIT 1`)
      .catch(() => [])
    const worker = cluster.members.find(one => one.isReady && one.pid === Number(rows[0]?.pid))
    if (worker) return worker
  }
  const alive = cluster.members.filter(one => one.isAlive)
  return alive[Math.floor(chance() * alive.length)] ?? 'postgres'
}

/** Waits for servers that are up; where that takes too long, says what each of them printed last. */
async function serversUp(what: string, isEnough: (isReady: boolean[]) => boolean, seconds: number): Promise<void> {
  const areReady = async () => isEnough(cluster.members.map(one => one.isReady))
  await until(what, areReady, seconds).catch(error => {
    const said = cluster.members.map(one => `${one.state}: ${one.printed.slice(-600)}`)
    throw new Error(`${error.message}\n${said.join('\n')}`)
  })
}

/** Keeps a server up: one that ended, or could not start because PostgreSQL was down, is started again. */
async function keepUp(member: Member): Promise<void> {
  while (isOn) {
    if (!member.isAlive) await member.up()
    else await pause(20)
  }
}

describe('kill -9 at random under a mixed load', () => {
  it('leaves every acknowledged write there once, no state without an owner, and no event told twice', async () => {
    const counted = await leader.ok(projects, 'createProject', { body: { name: 'Counted' } })
    const register = await leader.ok(projects, 'createProject', { body: { name: 'Register' } })
    const release = await draftRelease(leader, 'Faulty', 'NO_PACKAGE')
    const load = Promise.all([
      makesProjects(),
      makesApps(counted.projectId),
      renames(register.projectId),
      uploads(),
      uploads(),
      submitsAndWithdraws(release),
    ])
    const kept = cluster.members.map(keepUp)
    const killed = { servers: 0, postgres: 0 }
    while (killed.servers + killed.postgres < kills) {
      await pause(gapMs * (0.5 + chance()))
      await serversUp('a server to be up', isReady => isReady.includes(true), 60)
      const target = await victim()
      if (target !== 'postgres') {
        await target.kill('SIGKILL')
        killed.servers++
      } else if (killPostgresOf(cluster.dataDir)) killed.postgres++
    }
    await serversUp('every server to be up', isReady => !isReady.includes(false), 120)
    isOn = false
    await Promise.all([load, ...kept])
    process.stdout.write(
      `${killed.servers} servers and ${killed.postgres} times PostgreSQL were killed; acknowledged: ${made.size} projects, ` +
        `${appsMade.size} apps, ${renamed.length} renames, ${stored.size} files\n`,
    )
    expect(Math.min(made.size, appsMade.size, renamed.length, stored.size)).toBeGreaterThan(5)

    await until('events to be told', async () => !(await first('CN', waiting)) && !(await first('HOME', waiting)), 120)
    await until(
      'jobs to end',
      async () => !(await first('CN', `SELECT 1 FROM jobs WHERE state IN ('queued', 'running')`)),
      120,
    )

    const rows = await cluster.sql<{ project_id: string; name: string }>(
      'HOME',
      'SELECT project_id, name FROM projects',
    )
    const names = rows.map(row => row.name)
    expect(new Set(names).size).toBe(names.length)
    expect(rows.filter(row => made.has(row.project_id))).toHaveLength(made.size)
    expect(names.filter(name => name.startsWith('Fault '))).toHaveLength(made.size)

    const [appCount] = await cluster.sql<{ n: number }>(
      'CN',
      'SELECT count(*)::int AS n FROM apps WHERE project_id = $1',
      [counted.projectId],
    )
    expect(appCount?.n).toBe(appsMade.size)
    expect((await leader.ok(projects, 'getProject', { query: { projectId: counted.projectId } })).appCount).toBe(
      appsMade.size,
    )

    const revisions = renamed.map(one => one.revision)
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b))
    expect(new Set(revisions).size).toBe(revisions.length)
    const last = await leader.ok(projects, 'getProject', { query: { projectId: register.projectId } })
    expect(last.revision).toBeGreaterThanOrEqual(revisions.at(-1) ?? 0)

    for (const [objectId, sha256] of stored) expect(await hashOf(objectId)).toBe(sha256)

    const { version } = await leader.ok(versions, 'getVersion', {
      query: { appId: release.appId, versionId: release.versionId },
    })
    expect(['DRAFT', 'WITHDRAWN', 'PRECHECK_FAILED', 'IN_REVIEW']).toContain(version?.state)
    const moves = `SELECT count(*)::int AS n FROM outbox WHERE entity_id = $1 AND type IN ('version.submitted', 'version.withdrawn')`
    const audits = `SELECT count(*)::int AS n FROM audit WHERE entity_id = $1 AND action IN ('version.submit', 'version.withdraw')`
    expect(await cluster.sql('CN', moves, [release.versionId])).toEqual(
      await cluster.sql('CN', audits, [release.versionId]),
    )
    const twice = 'SELECT listener, event_id FROM event_receipts GROUP BY 1, 2 HAVING count(*) > 1'
    expect(await cluster.sql('CN', twice)).toEqual([])
    expect(await cluster.sql('HOME', twice)).toEqual([])
  }, 900_000)
})

const waiting = 'SELECT 1 FROM outbox WHERE relayed_at IS NULL'

async function first(database: 'HOME' | 'CN', text: string): Promise<unknown> {
  return (await cluster.sql(database, `${text} LIMIT 1`))[0]
}

async function hashOf(objectId: string): Promise<string> {
  const { url } = await leader.ok(files, 'makeDownloadAddress', { body: { objectId } })
  const { pathname, search } = new URL(url)
  const reply = await fetch(leader.url + pathname + search)
  return createHash('sha256')
    .update(Buffer.from(await reply.arrayBuffer()))
    .digest('hex')
}
