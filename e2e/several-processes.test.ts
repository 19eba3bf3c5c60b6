import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { functionsIde } from '../src/services/build/functions/contract.ts'
import { functionGovernance } from '../src/services/build/functions/governance/contract.ts'
import { defaults } from '../src/services/build/functions/governance/rules.ts'
import { functionManage } from '../src/services/build/functions/manage/contract.ts'
import { functionScaling } from '../src/services/build/functions/scaling/contract.ts'
import { defaultManager } from '../src/services/build/functions/scaling/rules.ts'
import { functionSummary } from '../src/services/build/functions/summary/contract.ts'
import { functionTesting } from '../src/services/build/functions/testing/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { temporaryDataFolder } from '../src/testkit/data-folder.ts'
import { Cluster, type Member } from './cluster.ts'
import { Loggia, until, type Visitor } from './loggia.ts'

/** One Loggia whose port two processes of this machine serve: `LOGGIA_PROCESSES=2`. */
let loggia: Loggia
let developer: Visitor
let projectId: string
beforeAll(async () => {
  loggia = await Loggia.start({ LOGGIA_PROCESSES: '2' })
  await bothServe()
  developer = await loggia.signIn('developer')
  projectId = (await developer.ok(projects, 'createProject', { body: { name: 'Two processes' } })).projectId
})
afterAll(() => loggia.close())

/** Without the copies of functions and the database: processes of the server itself below the first one. */
function furtherPids(pid = loggia.pid): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return children.filter(child => child !== '' && isServer(Number(child))).map(Number)
}

function endIfThere(pid: number): void {
  if (isServer(pid)) process.kill(pid, 'SIGKILL')
}

function isServer(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('src/server/main.ts')
  } catch {
    return false
  }
}

/** So many at once that a client opens a connection for each, and the kernel gives some to either process. */
const together = <T>(call: () => Promise<T>) => Promise.all(Array.from({ length: 40 }, call))

function create(functionName: string, content: string, instanceConcurrency = 100) {
  const files = [{ path: 'index.js', content, encoding: 'utf8' as const }]
  const body = { projectId, functionName, instanceConcurrency, files }
  return developer.ok(functionsIde, 'createFunctionWithCode', { body })
}

const call = (functionName: string) =>
  developer.ok(functionTesting, 'testFunction', {
    params: { a: functionName, b: '$latest' },
    query: { projectId },
    body: { event: {} },
  })

/** What `/metrics` says of a call, whichever process is asked: each number once. */
async function callsCounted(name: string): Promise<number[]> {
  const told = await together(metrics)
  const counted = new RegExp(`loggia_call_seconds_count\\{[^}]*call="${name}"[^}]*\\} (\\d+)`)
  return [...new Set(told.map(one => Number(counted.exec(one)?.[1])))]
}

const bothServe = () => until('both processes', async () => (await metrics()).includes('loggia_processes 2'))
const metrics = async () => (await fetch(`${loggia.url}/metrics`)).text()

describe('two processes on one port', () => {
  it('share its connections, and know of each other what runs', async () => {
    const content = `exports.handler = () => new Promise(resolve => setTimeout(resolve, 300, { pid: process.pid }))`
    const { functionId } = await create('which', content)
    await together(() => call('which'))

    const pods = await together(() => developer.ok(functionManage, 'listManagedInstances', { query: { functionId } }))
    expect(pods.map(one => one.total)).toEqual(pods.map(() => 2))
    const [first] = pods
    expect(first?.list.reduce((sum, one) => sum + one.served, 0)).toBe(40)
    const { live } = await developer.ok(functionScaling, 'getManagerConfig', { params: { functionId } })
    expect(live.instances).toBe(2)

    expect(await callsCounted('testFunction')).toEqual([40])
  })

  it('count the calls of a function together for its breaker', async () => {
    const content = `exports.handler = async () => { throw new Error('bad') }`
    const { functionId } = await create('fails', content)
    const spec = { ...defaults.CIRCUITBREAKER, minimumNumberOfCalls: 40, slidingWindowSize: 40 }
    const params = { functionId }
    await developer.ok(functionGovernance, 'createCircuitBreaker', { params, body: { spec } })
    const outcomes = await together(async () => (await call('fails')).outcome)
    expect(outcomes).toEqual(outcomes.map(() => 'ERROR'))
    const seen = await together(async () => {
      const { status } = await developer.ok(functionGovernance, 'getCircuitBreaker', { params })
      return status.map(one => [one.state, one.windowCalls])
    })
    expect(seen).toEqual(seen.map(() => [['OPEN', 40]]))
  })

  it('run one copy of a function that may have one', async () => {
    const content = `let calls = 0; exports.handler = async () => ({ pid: process.pid, calls: ++calls })`
    const { functionId } = await create('single', content)
    const body = { ...defaultManager, maxInstances: 1 }
    await developer.ok(functionScaling, 'setManagerConfig', { params: { functionId }, body })
    const results = await together(async () => (await call('single')).result as { pid: number; calls: number })
    expect(new Set(results.map(one => one.pid)).size).toBe(1)
    expect(results.map(one => one.calls).sort((one, other) => one - other)).toEqual(results.map((_, at) => at + 1))
    const pods = await developer.ok(functionManage, 'listManagedInstances', { query: { functionId } })
    expect(pods.total).toBe(1)
  })

  it('say in a list at once what the other one has run', async () => {
    await create('charted', 'exports.handler = async () => 1')
    const query = { projectId }
    const calls = async () =>
      (await developer.ok(functionSummary, 'getSummary', { params: { functionName: 'charted' }, query })).calls
    for (let round = 1; round <= 3; round++) {
      await together(() => call('charted'))
      expect(await Promise.all([calls(), calls(), calls()])).toEqual([40 * round, 40 * round, 40 * round])
    }
  })

  it('know at once what the other one was told', async () => {
    let found = (await create('renewed', 'exports.handler = async () => 0')).function
    for (let round = 1; round <= 10; round++) {
      const files = [{ path: 'index.js', content: `exports.handler = async () => ${round}`, encoding: 'utf8' as const }]
      const { functionId, revision } = found
      const answer = await developer.ok(functionsIde, 'updateCode', {
        params: { functionId },
        body: { revision, files },
      })
      found = answer.function
      const results = await together(async () => (await call('renewed')).result)
      expect(results).toEqual(results.map(() => round))
    }
  })

  it('keep as many copies ready as one would', async () => {
    const { functionId } = await create('kept', 'exports.handler = async () => 1', 1)
    const kept = { ...defaultManager, minInstances: 3, maxInstances: 3 }
    await developer.ok(functionScaling, 'setManagerConfig', { params: { functionId }, body: kept })
    const live = async () => (await developer.ok(functionScaling, 'getManagerConfig', { params: { functionId } })).live
    await until('three copies', async () => (await live()).instances === 3)
    expect(await live()).toEqual({ instances: 3, target: 3, floor: 3 })
  })

  it('leave the port to nobody else', async () => {
    const dataDir = temporaryDataFolder('e2e')
    const env = { LOGGIA_PROCESSES: '2', PORT: String(loggia.port), LOGGIA_DATA: dataDir }
    const second = spawn('sh', ['tools/run.sh', 'up'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [said, [code]] = await Promise.all([text(second.stderr), once(second, 'exit')])
    expect(said).toContain('Loggia cannot start: listen EADDRINUSE')
    expect(code).toBe(1)
    rmSync(dataDir, { recursive: true, force: true })
  })
})

describe('a process that is killed', () => {
  it('is there again, and nothing that was acknowledged is lost', async () => {
    const [killed = 0] = furtherPids()
    const counted = await callsCounted('testFunction')
    const acknowledged: string[] = []
    let isOn = true
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let number = 0; isOn && number < 8; number++) {
        const name = `Written ${writer} ${number}`
        const { status } = await developer
          .call(projects, 'createProject', { body: { name } })
          .catch(() => ({ status: 0 }))
        if (status === 200) acknowledged.push(name)
      }
    })
    await until('some writes', async () => acknowledged.length >= 10)
    process.kill(killed, 'SIGKILL')
    await Promise.all(writers)
    isOn = false
    await until('another process', async () => furtherPids().some(pid => pid !== killed))
    await bothServe()
    const names = new Set<string>()
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { pageSize: 100, ...(cursor ? { cursor } : {}) }
      const page = await developer.ok(projects, 'listProjects', { query })
      for (const one of page.list) names.add(one.name)
      cursor = page.nextCursor
    }
    expect(acknowledged.filter(name => !names.has(name))).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(10)
    expect(await callsCounted('testFunction')).toEqual(counted)
  })

  it('takes the others along where it is the first, and they start again', async () => {
    const before = await until('the other process', async () => furtherPids().length === 1 && furtherPids())
    await loggia.end('SIGKILL')
    await until('the other one to end', async () => !before.some(isServer), 3)
    await until('PostgreSQL to stop', async () => loggia.postgresPid === null, 15)
    await loggia.up()
    await bothServe()
    expect(furtherPids()).toHaveLength(1)
    const all = await together(() => developer.call(projects, 'listProjects'))
    expect(all.map(one => one.status)).toEqual(all.map(() => 200))
  })
})

describe('a first process that is killed while the other one starts', () => {
  it('leaves none behind, though the database goes on', async () => {
    const cluster = await Cluster.start(1, { LOGGIA_PROCESSES: '2' })
    onTestFinished(() => cluster.close())
    const [member] = cluster.members as [Member]
    await member.kill()
    const starting = member.up()
    const further = await until('the other one to be started', async () => furtherPids(member.pid)[0], 60, 5)
    onTestFinished(() => endIfThere(further))
    await member.kill()
    await starting
    await until('the other one to end', async () => !isServer(further), 30)
  })
})

describe('a stop', () => {
  it('by Ctrl-C ends both with 0', async () => {
    const further = furtherPids()
    expect(await loggia.end('SIGINT')).toBe(0)
    expect(further.filter(isServer)).toEqual([])
    expect(loggia.postgresPid).toBeNull()
  })
})
