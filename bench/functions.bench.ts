import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { readConfig } from '../src/server/config.ts'
import { functionsIde } from '../src/services/build/functions/contract.ts'
import { withinGroups } from '../src/services/build/functions/engine/kernel-groups.ts'
import { type ProcessorShare, shareProcessors } from '../src/services/build/functions/engine/processor-share.ts'
import { type CodeRuntimeId, codeRuntimeIds } from '../src/services/build/functions/rules.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { appUserOf, callerOf } from './app-user.ts'
import { byAutocannon, byWrk, installWrk } from './loads.ts'
import { type Figure, inTurns, median, memoryMb, startProgram, type Target, words } from './measure.ts'
import { type Stand, withStand } from './stand.ts'
import { hasWorkerd, startWorkerd } from './workerd.ts'

/**
 * How long a copy of either runtime takes to begin. Then functions that an app calls through the gateway, beside a bare Node
 * server that calls the same handler, and a bare workerd; what functions that run wild cost a neighbour; what an idle copy
 * holds, and five hundred of them.
 */
const wanted = { nodejs24: { warm: 0.5, coldMs: 150 }, isolate: { warm: null, coldMs: 150 }, neighbour: 1.5 }
const handler = `exports.handler = async event => ({ n: JSON.parse(event.body).n + 1 })`
/** One that works: it puts two thousand numbers in order. */
const worker = `exports.handler = async event => {
  const { n } = JSON.parse(event.body)
  const all = Array.from({ length: 2000 }, (_, at) => (at * 7919 + n) % 2003)
  return { n: all.sort((a, b) => a - b)[0] }
}`
const coldStarts = 100
const deployed = 500
const active = 50
/** Of the 500, one project; it may have 400. */
const ofProject = 380
const turns = 9
const turnMs = 4_000
const wildMs = 3_000
const wildPauseMs = 20
/** Short rounds: the machine is another one some seconds later. */
const rounds = { count: 15, seconds: 1 }
/** Few, so that each waits for its answer most of the time; and so many that the server is never without a call. */
const busy = [16, 64]

const say = (line: string) => void process.stdout.write(`${line}\n`)
const percentile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

interface Bench {
  stand: Stand
  headers: Record<string, string>
  projectId: string
  call: ReturnType<typeof callerOf>
}

let made = 0
async function deploy({ call, projectId }: Bench, content: string, more: object = {}) {
  const functionName = `bench-${++made}`
  const body = { projectId, functionName, files: [{ path: 'index.js', content, encoding: 'utf8' }], ...more }
  const answer = await call<{ function: { functionId: string } }>(functionsIde, 'createFunctionWithCode', { body })
  return { functionName, functionId: answer.function.functionId }
}

const requestTo = ({ stand, headers }: Bench, functionName: string, qualifier = '$latest') => ({
  url: `${stand.address}/agc/apigw/wisefunction/functions/bench/${functionName}-${encodeURIComponent(qualifier)}`,
  method: 'POST' as const,
  headers: { ...headers, 'content-type': 'application/json' },
  body: '{"n":1}',
})

async function ask(request: ReturnType<typeof requestTo>): Promise<number> {
  const from = performance.now()
  const reply = await fetch(request.url, request)
  const text = await reply.text()
  if (!reply.ok) throw new Error(`a function answered ${reply.status}: ${text}`)
  return performance.now() - from
}

/** Calls a second of ours beside a peer's, and not CPU alone: what runs the handler is another process. */
function report(what: string, limit: number | null, taken: { ours: Figure; peer: Figure; rate: number }): void {
  const { rate } = taken
  const verdict = limit === null ? '' : rate >= limit ? ` (within ${limit})` : ` (UNDER ${limit})`
  say(`${what}: ${rate.toFixed(2)} of its calls a second${verdict}; ${words(taken)}`)
}

const peer = (name: string, { address, pid }: { address: string; pid: number }) => ({
  ...{ name, pid },
  request: { url: address, method: 'POST' as const, body: '{"n":1}' },
})

const over = (connections: number, target: Target): Target => ({
  ...target,
  request: { ...target.request, connections },
})

async function targetOf(bench: Bench, content: string, runtime: CodeRuntimeId) {
  const { functionName } = await deploy(bench, content, { runtime, instanceConcurrency: 100 })
  const request = requestTo(bench, functionName)
  await ask(request)
  const { pid, furtherPids, postgresPid } = bench.stand
  return { name: `loggia, ${runtime}`, pid, furtherPids, postgresPid, request }
}

/** The share of the gateway is the smaller the more a function does: this says how small at a fraction of a millisecond. */
async function working(bench: Bench, runtime: CodeRuntimeId): Promise<void> {
  const ours = await targetOf(bench, worker, runtime)
  const bare = await startProgram('bare-handler-server.ts', { BARE_HANDLER: worker })
  report(`a handler that works, of ${runtime}, beside a bare server`, null, await inTurns(ours, peer('bare', bare)))
  await bare.end()
}

async function warm(bench: Bench, runtime: CodeRuntimeId): Promise<void> {
  await besideBare(bench, runtime)
  await working(bench, runtime)
  if (!hasWorkerd) return say('workerd: not measured; it is not installed')
  const workerd = await startWorkerd(path.join(bench.stand.dataDir, 'workerd'), 18_787)
  const ours = await targetOf(bench, handler, runtime)
  report(`warm call of ${runtime} beside workerd`, null, await inTurns(ours, peer('workerd', workerd)))
  workerd.end()
}

async function besideBare(bench: Bench, runtime: CodeRuntimeId): Promise<void> {
  const ours = await targetOf(bench, handler, runtime)
  const bare = await startProgram('bare-handler-server.ts', { BARE_HANDLER: handler })
  for (const load of byWrk ? [byWrk, byAutocannon] : [byAutocannon])
    for (const connections of busy) {
      const both = [over(connections, ours), over(connections, peer('bare', bare))] as const
      const figures = await inTurns(...both, rounds.count, rounds.seconds, load)
      const processes = 1 + bench.stand.furtherPids.length
      const by = processes > 1 ? `, ${processes} processes` : ''
      const what = `warm call of ${runtime} over ${connections} connections of ${load.name}${by} beside a bare server`
      report(what, wanted[runtime].warm, figures)
    }
  await bare.end()
}

/** Code of about a megabyte that is really read and compiled. */
const bundle = (n: number) =>
  `${Array.from({ length: 9_000 }, (_, at) => `exports.f${at} = function (a, b) { const c = a * ${at} + b; return c > ${n} ? [c, a, b, 'text ${at}'] : { a, b, c } }`).join('\n')}\n${handler}`

async function cold(bench: Bench, runtime: CodeRuntimeId): Promise<void> {
  const times: number[] = []
  let bytes = 0
  for (let n = 0; n < coldStarts; n++) {
    const content = bundle(n)
    bytes = content.length
    const { functionId, functionName } = await deploy(bench, content, { runtime })
    await bench.call(functionsIde, 'publishVersion', { body: { functionId } })
    // What saving set going has come to rest.
    await new Promise(resolve => setTimeout(resolve, 300))
    times.push(await ask(requestTo(bench, functionName, '1')))
  }
  const p95 = percentile(times, 0.95)
  const { coldMs } = wanted[runtime]
  const verdict = p95 <= coldMs ? 'within' : 'OVER'
  say(
    `cold call of ${runtime}, ${(bytes / 1e6).toFixed(1)} MB: p95 ${p95.toFixed(0)} ms (${verdict} ${coldMs}), median ${percentile(times, 0.5).toFixed(0)} ms, ${coldStarts} of them`,
  )
}

/** Processes of functions: Node with the runner, below the server. */
function functionPids(): number[] {
  return readdirSync('/proc')
    .filter(name => /^[1-9]\d*$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        return /^\/node\0.*\/runner\/main\.mjs/s.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
      } catch {
        return false
      }
    })
}

async function manyIsolates(bench: Bench): Promise<void> {
  const names: string[] = []
  while (names.length < active)
    names.push((await deploy(bench, worker, { runtime: 'isolate', instanceConcurrency: 100 })).functionName)
  await Promise.all(names.map(name => ask(requestTo(bench, name))))
  say(`${active} isolates that work, in one process: ${await inTurn(bench, names)}`)
}

async function many(bench: Bench): Promise<void> {
  const other = await bench.call<{ projectId: string }>(projects, 'createProject', { body: { name: 'Bench, too' } })
  const before = made
  for (let n = made; n < deployed; n++) {
    const projectId = n < ofProject ? bench.projectId : other.projectId
    await deploy({ ...bench, projectId }, handler)
  }
  const names = Array.from({ length: active }, (_, at) => `bench-${before + 1 + at}`)
  const first = await Promise.all(names.map(name => ask(requestTo(bench, name))))
  const pids = functionPids()
  const held = pids.reduce((sum, pid) => sum + memoryMb(pid), 0) / Math.max(1, pids.length)
  say(`an idle copy holds ${held.toFixed(1)} MB of its own share, the middle of ${pids.length}`)
  say(
    `${deployed} deployed, ${active} active: ${await inTurn(bench, names)}; all ${active} began within ${Math.max(...first).toFixed(0)} ms`,
  )
}

/** Calls all of them, one after another, as fast as they answer. */
async function inTurn(bench: Bench, names: readonly string[]): Promise<string> {
  const result = await autocannon({
    url: bench.stand.address,
    connections: active,
    duration: 10,
    requests: names.map(name => {
      const { url, method, headers, body } = requestTo(bench, name)
      return { path: new URL(url).pathname, method, headers, body }
    }),
  })
  const bad = result.non2xx + result.errors
  const verdict = bad === 0 ? 'none, as wanted' : 'OVER'
  return `${result['2xx']} calls answered, ${bad} refused (${verdict}), p99 ${result.latency.p99} ms`
}

/** None of them answers by itself: one that did would be called again at once, and what is measured would be its calls. */
const wild = {
  'an endless loop': 'exports.handler = () => { for (;;); }',
  'a memory hog': 'exports.handler = () => { const all = []; for (;;) all.push(Buffer.alloc(1e7, 1)) }',
  'a flood of lines': `exports.handler = () => { for (let n = 0; n < 1e6; n++) console.log('x'.repeat(1000)) }`,
  'a leak of descriptors': `exports.handler = () => { const fs = require('fs'); for (let n = 0; ; n++) try { fs.openSync('/tmp/' + n, 'w') } catch {} }`,
  'a fork bomb': `exports.handler = () => { for (;;) try { require('child_process').fork(__filename) } catch {} }`,
}

/**
 * The p99 of one function's calls at a steady pace, while another one runs wild and while it does not, in turns: the middle
 * of the turns, as one hiccup of the machine is the p99 of a whole turn. First, what any program costs them on this machine
 * that takes of its processors nothing but what they leave, and what the calls of a function cost them that does nothing.
 */
async function neighbours(bench: Bench): Promise<void> {
  const { functionName } = await deploy(bench, handler, { instanceConcurrency: 10 })
  const request = requestTo(bench, functionName)
  const caller = await startProgram('paced-caller.ts', { PACED_REQUEST: JSON.stringify(request) })
  const paced = async (ms: number) => (await (await fetch(`${caller.address}/${ms}`)).json()) as number[]
  // Both sides shall be compiled, or the first turns are those of another program.
  await autocannon({ ...request, connections: 20, duration: 10 })
  await paced(5_000)
  const share = await shareProcessors('bench', null)
  if (share) await beside('a plain program that only takes what is left', null, paced, () => runPlain(share))
  await share?.remove()
  const { functionName: calm } = await deploy(bench, handler)
  await beside('a calm function that is called as it has answered', null, paced, () => ask(requestTo(bench, calm)))
  for (const [what, content] of Object.entries(wild)) {
    const { functionName: wilder } = await deploy(bench, content, { timeoutMs: wildMs })
    await beside(what, wanted.neighbour, paced, () => ask(requestTo(bench, wilder)))
  }
  await caller.end()
}

async function beside(
  what: string,
  limit: number | null,
  paced: (ms: number) => Promise<number[]>,
  run: () => Promise<unknown>,
): Promise<void> {
  const quiet: number[][] = []
  const disturbed: number[][] = []
  for (let turn = 0; turn < turns; turn++) {
    quiet.push(await paced(turnMs))
    let isOver = false
    const running = (async () => {
      while (!isOver) {
        await run().catch(() => undefined)
        // It is the function that runs wild, and not who calls it.
        await sleep(wildPauseMs)
      }
    })()
    disturbed.push(await paced(turnMs))
    isOver = true
    await running
  }
  const middle = (of: readonly number[][], share: number) => median(of.map(turn => percentile(turn, share)))
  const [before, after] = [middle(quiet, 0.99), middle(disturbed, 0.99)]
  const verdict = limit === null ? '' : ` (${after / before < limit ? 'within' : 'OVER'} ${limit})`
  say(
    `beside ${what}: p99 ${before.toFixed(1)} to ${after.toFixed(1)} ms, ${(after / before).toFixed(2)}${verdict}; ` +
      `median ${middle(quiet, 0.5).toFixed(1)} to ${middle(disturbed, 0.5).toFixed(1)} ms`,
  )
}

/** An endless loop that is no function, for as long as one that is has time. */
async function runPlain(share: ProcessorShare): Promise<void> {
  share.set(0, true)
  const { command, args } = withinGroups([share], [process.execPath, '-e', 'for (;;);'])
  const child = spawn(command, args, { stdio: 'ignore', detached: true, timeout: wildMs, killSignal: 'SIGKILL' })
  await once(child, 'exit')
}

async function benchOf(stand: Stand): Promise<Bench> {
  const { projectId, headers } = await appUserOf(stand)
  return { stand, headers, projectId, call: callerOf(stand) }
}

await withStand(async stand => {
  const bench = await benchOf(stand)
  if (!byWrk) say(`wrk: not there, and autocannon takes of the processors what functions run on; ${installWrk}`)
  // First, while nothing else has to be put away: PostgreSQL cleans up after millions of calls for minutes.
  for (const runtime of codeRuntimeIds) await cold(bench, runtime)
  for (const runtime of codeRuntimeIds) await warm(bench, runtime)
  await neighbours(bench)
  await manyIsolates(bench)
  await many(bench)
})

/** As a server is started unless it is told otherwise: one process alone leaves the other processors to others. */
const { processes } = readConfig({})
if (processes > 1)
  await withStand(
    async stand => {
      const bench = await benchOf(stand)
      for (const runtime of codeRuntimeIds) await besideBare(bench, runtime)
    },
    undefined,
    processes,
  )
