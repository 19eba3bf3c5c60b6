import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headers } from '../src/kernel/wire.ts'
import { apps } from '../src/services/distribute/apps/contract.ts'
import { packageTasks } from '../src/services/distribute/packages/tasks/contract.ts'
import { partUploads } from '../src/services/ground/files/parts/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { session } from '../src/services/ground/session/contract.ts'
import { members } from '../src/services/ground/teams/members/contract.ts'
import { Cluster, type Member } from './cluster.ts'
import { until, type Visitor } from './loggia.ts'
import { draftRelease, startPackage } from './releases.ts'

/** Two server processes over one database and one root of bytes behave as one. */
let cluster: Cluster
let first: Member
let second: Member
let leader: Visitor
beforeAll(async () => {
  cluster = await Cluster.start(2)
  ;[first, second] = cluster.members as [Member, Member]
  leader = await cluster.signIn('administrator', first)
})
afterAll(() => cluster.close())

/** Milliseconds until a call of the visitor is refused with the status; throws after a second. */
async function refusedWithin(visitor: Visitor, status: number): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    const reply = await visitor.call(projects, 'listProjects')
    if (reply.status === status) return
    const tookMs = performance.now() - startedAt
    if (tookMs > 1_000) throw new Error(`${reply.status} after ${tookMs.toFixed(0)} ms; expected ${status}`)
  }
}

describe('a session', () => {
  it('of one server is known to the other at once', async () => {
    expect((await leader.at(second.url).call(projects, 'listProjects')).status).toBe(200)
  })

  it('that is signed out on one is refused by the other within a second', async () => {
    const visitor = await cluster.signIn('developer', first)
    expect((await visitor.at(second.url).call(projects, 'listProjects')).status).toBe(200)
    await visitor.ok(session, 'logout')
    await refusedWithin(visitor.at(second.url), 401)
  })
})

describe('a right', () => {
  it('that is taken away on one is refused by the other within a second', async () => {
    const visitor = await cluster.signIn('operations', second)
    expect((await visitor.call(projects, 'listProjects')).status).toBe(200)
    const { list } = await leader.ok(members, 'listMembers', {})
    const member = list.find(one => one.loginName === 'operations')
    if (!member) throw new Error('operations is no member')
    await leader.ok(members, 'updateMember', {
      body: { accountId: member.accountId, status: 'suspended', revision: member.revision },
    })
    await refusedWithin(visitor, 403)
  })
})

describe('an upload', () => {
  it('that begins on one goes on and ends on the other', async () => {
    const partSize = 5_242_880
    const bytes = randomBytes(2 * partSize + 99)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const begun = await leader.ok(partUploads, 'beginUpload', {
      body: { fileName: 'big.apk', size: bytes.length, sha256, partSize },
    })
    for (const { partNumber, url, headers: own } of begun.parts) {
      const { pathname, search } = new URL(url)
      const server = partNumber % 2 === 0 ? first : second
      const body = new Uint8Array(bytes.subarray((partNumber - 1) * partSize, partNumber * partSize))
      const reply = await fetch(server.url + pathname + search, {
        method: 'PUT',
        body,
        headers: own as Record<string, string>,
      })
      expect(reply.status).toBe(200)
    }
    const upload = { objectId: begun.objectId, nspUploadId: begun.nspUploadId }
    const { received } = await leader.at(second.url).ok(partUploads, 'listParts', { query: upload })
    const done = await leader.at(second.url).ok(partUploads, 'compose', {
      query: upload,
      body: Object.fromEntries(
        received.map(part => [String(part.partNumber), { partObjectId: part.partObjectId, etag: part.etag }]),
      ),
    })
    expect(done.urlsInfo[0]).toMatchObject({ sha256, size: bytes.length })
    const { pathname, search } = new URL(done.urlsInfo[0]?.url ?? '')
    const got = Buffer.from(await (await fetch(first.url + pathname + search)).arrayBuffer())
    expect(createHash('sha256').update(got).digest('hex')).toBe(sha256)
  })
})

describe('work', () => {
  it('repeated with one key at both at once is done once', async () => {
    const key = randomUUID()
    const name = `Twice ${key.slice(0, 8)}`
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_none, number) =>
        leader.at((number % 2 === 0 ? first : second).url).call(projects, 'createProject', {
          body: { name },
          headers: { [headers.idempotencyKey]: key },
        }),
      ),
    )
    const ids = replies.filter(reply => reply.status === 200).map(reply => reply.body['projectId'])
    expect(new Set(ids).size).toBe(1)
    const made = await cluster.sql('HOME', 'SELECT 1 FROM projects WHERE name = $1', [name])
    expect(made).toHaveLength(1)
  })

  it('by two at once on one row has one winner, and the other is told', async () => {
    const project = await leader.ok(projects, 'createProject', { body: { name: 'Contended' } })
    const rename = (member: Member, name: string) =>
      leader.at(member.url).call(projects, 'updateProject', {
        body: { projectId: project.projectId, name, revision: project.revision },
      })
    const statuses = (await Promise.all([rename(first, 'Of the first'), rename(second, 'Of the second')])).map(
      reply => reply.status,
    )
    expect(statuses.sort()).toEqual([200, 409])
  })

  it('that one began and died in is ended by the other, and told once', async () => {
    const { appId } = await draftRelease(leader.at(second.url), 'Handed over')
    const bytes = readFileSync(
      new URL('../node_modules/apk-uiautomator-10/apks/appium-uiautomator2-server-v10.6.6.apk', import.meta.url),
    )
    const { pkgId, taskId } = await startPackage(leader.at(second.url), appId, bytes)
    const owner = await until('somebody to take the job', async () => {
      const rows = await cluster.sql<{ owner: string }>(
        'CN',
        `SELECT split_part(owner, '-', 1) AS owner FROM jobs WHERE kind LIKE 'packages.%' AND state = 'running'`,
      )
      return rows[0]?.owner
    })
    const dead = cluster.members.find(one => one.pid === Number(owner)) ?? first
    const alive = dead === first ? second : first
    await dead.kill('SIGKILL')
    await until(
      'the other to end it',
      async () => {
        const { body } = await leader.at(alive.url).call(packageTasks, 'getPackageTask', { query: { taskId, wait: 5 } })
        return body['state'] === 'done'
      },
      90,
    )
    const told = `SELECT type FROM outbox WHERE entity_id = $1 AND type IN ('package.ready', 'package.failed')`
    expect(await cluster.sql('CN', told, [pkgId])).toHaveLength(1)
    await dead.up()
  })

  it('that an event asks for is done once, whoever hears of it', async () => {
    const { projectId } = await leader.ok(projects, 'createProject', { body: { name: 'Counted' } })
    await Promise.all(
      Array.from({ length: 12 }, (_none, number) =>
        leader.at((number % 2 === 0 ? first : second).url).ok(apps, 'createApp', {
          body: {
            projectId,
            name: `Counted ${number}`,
            packageType: 'ANDROID',
            defaultLang: 'enUS',
            deviceTypes: [4],
            kindMainTag: 10101,
          },
        }),
      ),
    )
    const count = async () => (await leader.ok(projects, 'getProject', { query: { projectId } })).appCount
    await until('twelve apps to be counted', async () => (await count()) >= 12)
    await new Promise(resolve => setTimeout(resolve, 1_000))
    expect(await count()).toBe(12)
  })
})
