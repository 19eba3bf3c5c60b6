import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageTasks } from '../src/services/distribute/packages/tasks/contract.ts'
import { versions } from '../src/services/distribute/versions/contract.ts'
import { partUploads } from '../src/services/ground/files/parts/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { Loggia, until, type Visitor } from './loggia.ts'
import { killPostgresOf } from './postgres-pid.ts'
import { draftRelease, startPackage } from './releases.ts'

let loggia: Loggia
let developer: Visitor
beforeAll(async () => {
  loggia = await Loggia.start()
  developer = await loggia.signIn('developer')
})
afterAll(() => loggia.close())

/** Creates projects one after another until told to stop; remembers what was acknowledged. */
function writeOn(name: string) {
  const acknowledged: string[] = []
  const statuses = new Map<number, number>()
  let isOn = true
  const done = (async () => {
    for (let number = 0; isOn && acknowledged.length < 60; number++) {
      const reply = await developer
        .call(projects, 'createProject', { body: { name: `${name} ${number}` } })
        .catch(() => ({ status: 0, body: {} }))
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      if (reply.status === 200) acknowledged.push(`${name} ${number}`)
      else await new Promise(resolve => setTimeout(resolve, 50))
    }
  })()
  return {
    acknowledged,
    statuses,
    stop: () => {
      isOn = false
      return done
    },
  }
}

async function namesNow(): Promise<string[]> {
  const names: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await developer.ok(projects, 'listProjects', {
      query: { pageSize: 100, ...(cursor ? { cursor } : {}) },
    })
    names.push(...page.list.map(one => one.name))
    cursor = page.nextCursor
  }
  return names
}

async function removeProjects(): Promise<void> {
  const page = await developer.ok(projects, 'listProjects', { query: { pageSize: 100 } })
  const leader = await loggia.signIn('administrator')
  for (const one of page.list.filter(project => project.appCount === 0)) {
    await leader.ok(projects, 'deleteProject', { query: { projectId: one.projectId } })
  }
}

describe('kill -9 of the server', () => {
  it('in the middle of writes loses none that was acknowledged and does none twice', async () => {
    const writer = writeOn('killed')
    await until('some writes', async () => writer.acknowledged.length >= 10)
    await loggia.end('SIGKILL')
    await writer.stop()
    await loggia.up()
    const names = await namesNow()
    expect(names).toEqual(expect.arrayContaining(writer.acknowledged))
    expect(new Set(names).size).toBe(names.length)
  })

  it('in the middle of an upload lets it resume to the same sha256', async () => {
    const bytes = randomBytes(3 * 5_242_880 + 1234)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const begun = await developer.ok(partUploads, 'beginUpload', {
      body: { fileName: 'big.apk', size: bytes.length, sha256, partSize: 5_242_880 },
    })
    const put = async (number: number) => {
      const part = begun.parts.find(one => one.partNumber === number)
      if (!part) throw new Error(`no part ${number}`)
      const body = bytes.subarray((number - 1) * 5_242_880, number * 5_242_880)
      return fetch(part.url, { method: 'PUT', body, headers: part.headers as Record<string, string> })
    }
    expect((await put(1)).status).toBe(200)
    const cut = put(2).catch(() => null)
    await new Promise(resolve => setTimeout(resolve, 5))
    await loggia.end('SIGKILL')
    await cut
    await loggia.up()
    const upload = { objectId: begun.objectId, nspUploadId: begun.nspUploadId }
    const { received: there } = await developer.ok(partUploads, 'listParts', { query: upload })
    const present = new Set(there.map(one => one.partNumber))
    expect(present.has(1)).toBe(true)
    for (const { partNumber } of begun.parts)
      if (!present.has(partNumber)) expect((await put(partNumber)).status).toBe(200)
    const { received } = await developer.ok(partUploads, 'listParts', { query: upload })
    const done = await developer.ok(partUploads, 'compose', {
      query: upload,
      body: Object.fromEntries(
        received.map(part => [String(part.partNumber), { partObjectId: part.partObjectId, etag: part.etag }]),
      ),
    })
    expect(done.urlsInfo[0]).toMatchObject({ sha256, size: bytes.length })
  })

  it('in the pipeline has the package read once, when it is up again', async () => {
    const { appId } = await draftRelease(developer, 'Killed in the pipeline')
    const bytes = readFileSync(
      new URL('../node_modules/apk-uiautomator-10/apks/appium-uiautomator2-server-v10.6.6.apk', import.meta.url),
    )
    const { pkgId, taskId } = await startPackage(developer, appId, bytes)
    await until('the pipeline to begin', async () => {
      const { body } = await developer.call(packageTasks, 'getPackageTask', { query: { taskId } })
      return body['state'] === 'running'
    })
    await loggia.end('SIGKILL')
    await loggia.up()
    const task = await until('the pipeline to end', async () => {
      const { body } = await developer.call(packageTasks, 'getPackageTask', { query: { taskId, wait: 10 } })
      return body['state'] === 'done' && body
    })
    expect(task['percent']).toBe(100)
    // The real package carries the public test key, so it is read to its end and refused for formal use.
    const told = `SELECT type FROM outbox WHERE entity_id = $1 AND type IN ('package.ready', 'package.failed')`
    expect(await loggia.sql('cn', told, [pkgId])).toHaveLength(1)
  })

  it('in a transition leaves the version in the state before or after, and what was acknowledged is after', async () => {
    const leader = await loggia.signIn('administrator')
    const { appId, versionId } = await draftRelease(leader, 'Killed in a transition', 'NO_PACKAGE')
    for (const afterMs of [0, 10, 25, 60, null]) {
      const submitted = leader.call(versions, 'submitVersion', { body: { versionId } }).catch(() => ({ status: 0 }))
      await (afterMs === null ? submitted : new Promise(resolve => setTimeout(resolve, afterMs)))
      await loggia.end('SIGKILL')
      const { status } = await submitted
      await loggia.up()
      const { version } = await leader.ok(versions, 'getVersion', { query: { appId, versionId } })
      const state = version?.state ?? ''
      expect(status === 200 ? ['PRECHECK', 'IN_REVIEW'] : ['DRAFT', 'WITHDRAWN', 'PRECHECK', 'IN_REVIEW']).toContain(
        state,
      )
      const moves = `SELECT count(*)::int AS n FROM outbox WHERE entity_id = $1 AND type IN ('version.submitted', 'version.withdrawn')`
      const audits = `SELECT count(*)::int AS n FROM audit WHERE entity_id = $1 AND action IN ('version.submit', 'version.withdraw')`
      expect(await loggia.sql('cn', moves, [versionId])).toEqual(await loggia.sql('cn', audits, [versionId]))
      if (state === 'PRECHECK' || state === 'IN_REVIEW')
        await leader.ok(versions, 'withdrawVersion', { body: { versionId } })
    }
    const [told] = await loggia.sql<{ n: number }>(
      'cn',
      `SELECT count(*)::int AS n FROM audit WHERE entity_id = $1 AND action = 'version.submit'`,
      [versionId],
    )
    expect(told?.n).toBeGreaterThan(0)
  })

  it('leaves no PostgreSQL behind', async () => {
    const pid = loggia.postgresPid
    expect(pid).not.toBeNull()
    await loggia.end('SIGKILL')
    await until('PostgreSQL to stop', async () => loggia.postgresPid === null, 15)
    await loggia.up()
  })
})

describe('PostgreSQL killed under load', () => {
  it('fails requests cleanly, then they go on without a restart', async () => {
    await removeProjects()
    const writer = writeOn('outage')
    await until('some writes', async () => writer.acknowledged.length >= 5)
    const before = writer.acknowledged.length
    expect(killPostgresOf(loggia.dataDir)).toBe(true)
    await until('writes after the outage', async () => writer.acknowledged.length >= before + 5, 120)
    await writer.stop()
    expect([...writer.statuses.keys()].sort()).toEqual([200, 503])
    expect(await namesNow()).toEqual(expect.arrayContaining(writer.acknowledged))
  })
})

describe('a stop', () => {
  it('by Ctrl-C ends with 0 and leaves no process', async () => {
    expect(await loggia.end('SIGINT')).toBe(0)
    expect(loggia.postgresPid).toBeNull()
  })

  it('and a second start has all data and the same sign-ins', async () => {
    const before = loggia.signIns()
    await loggia.up()
    expect(loggia.signIns()).toEqual(before)
    expect(loggia.printed).toContain(before['reviewer']?.password)
    expect((await namesNow()).length).toBeGreaterThan(5)
  })
})
