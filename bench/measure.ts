import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type autocannon from 'autocannon'
import { byAutocannon, type Load } from './loads.ts'

/** Two live servers in turns, so that the noise of the machine falls on both; CPU time a call is the steady figure. */

const ticksPerSecond = 100

/** CPU time of one process so far, user and system, milliseconds. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

/** CPU time of a process, of the children it has, and of those it had, milliseconds: PostgreSQL with its backends. */
export function treeCpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ended = ((Number(fields[13]) + Number(fields[14])) * 1000) / ticksPerSecond
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  const living = children === '' ? [] : children.split(' ').map(Number)
  return living.reduce((sum, child) => sum + cpuMsIfThere(child), cpuMs(pid) + ended)
}

/** A backend that has ended in between is counted among the ended ones next time. */
function cpuMsIfThere(pid: number): number {
  try {
    return cpuMs(pid)
  } catch {
    return 0
  }
}

/** Proportional memory of one process, MB. */
export function memoryMb(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024
}

/** Resident memory of one process, MB. */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
}

export interface Target {
  name: string
  pid: number
  /** Of processes that serve the same port. */
  furtherPids?: readonly number[]
  /** Its PostgreSQL, where what that spends counts too. */
  postgresPid?: number
  request: autocannon.Options
}

export interface Figure {
  name: string
  /** Server CPU time a call, microseconds; the median of the rounds. */
  cpuUs: number
  callsPerSecond: number
  refused: number
}

/**
 * Runs the targets in turns and returns their medians, the ratio of the first to the second in CPU time a call, and in
 * calls a second. Both ratios are the median of those of each round: what slows the machine for a while falls on both.
 */
export async function inTurns(
  ours: Target,
  peer: Target,
  rounds = 5,
  seconds = 3,
  load: Load = byAutocannon,
): Promise<{ ours: Figure; peer: Figure; ratio: number; rate: number }> {
  const figures = new Map<Target, Figure[]>([
    [ours, []],
    [peer, []],
  ])
  // V8 has compiled what is hot after some seconds; until then a call costs twice as much.
  for (const target of [ours, peer]) await shoot(load, target, 8)
  const ratios: number[] = []
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? [ours, peer] : [peer, ours]
    const taken = new Map<Target, Figure>()
    for (const target of order) {
      const figure = await shoot(load, target, seconds)
      taken.set(target, figure)
      figures.get(target)?.push(figure)
    }
    ratios.push((taken.get(ours)?.cpuUs ?? 0) / (taken.get(peer)?.cpuUs ?? 1))
    rates.push((taken.get(ours)?.callsPerSecond ?? 0) / (taken.get(peer)?.callsPerSecond ?? 1))
  }
  return {
    ours: middle(figures.get(ours) ?? []),
    peer: middle(figures.get(peer) ?? []),
    ratio: median(ratios),
    rate: median(rates),
  }
}

async function shoot(load: Load, target: Target, seconds: number): Promise<Figure> {
  const spent = () =>
    [target.pid, ...(target.furtherPids ?? [])].reduce((sum, pid) => sum + cpuMs(pid), 0) +
    (target.postgresPid ? treeCpuMs(target.postgresPid) : 0)
  const before = spent()
  const { good, perSecond, refused } = await load.shoot(target.request, seconds)
  const cpuUs = ((spent() - before) * 1000) / Math.max(good, 1)
  return { name: target.name, cpuUs, callsPerSecond: perSecond, refused }
}

function middle(figures: Figure[]): Figure {
  const first = figures[0] ?? { name: '', cpuUs: 0, callsPerSecond: 0, refused: 0 }
  return {
    name: first.name,
    cpuUs: median(figures.map(one => one.cpuUs)),
    callsPerSecond: median(figures.map(one => one.callsPerSecond)),
    refused: figures.reduce((sum, one) => sum + one.refused, 0),
  }
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** One line of a result, with the limit it is held against. */
export function print(what: string, ratio: number, limit: number, words: string): void {
  const verdict = ratio <= limit ? 'within' : 'OVER'
  process.stdout.write(`${what}: ${ratio.toFixed(2)} times (${verdict} ${limit}); ${words}\n`)
}

export function words({ ours, peer }: { ours: Figure; peer: Figure }): string {
  const one = (figure: Figure) =>
    `${figure.name} ${figure.cpuUs.toFixed(0)} µs CPU a call, ${figure.callsPerSecond.toFixed(0)}/s${figure.refused ? `, ${figure.refused} REFUSED` : ''}`
  return `${one(ours)}; ${one(peer)}`
}

/** Starts a Node program of this folder and waits for a line `ready ADDRESS`, with the pids of further processes behind it. */
export async function startProgram(name: string, env: NodeJS.ProcessEnv) {
  const file = new URL(name, import.meta.url).pathname
  // Our server gets the flags that `npm run up` gives it.
  const own =
    name === 'our-server.ts'
      ? ['--min-semi-space-size=16', '--max-semi-space-size=32', '--import', './src/server/quick-start.ts']
      : []
  const flags = [...own, ...(process.env['BENCH_NODE_FLAGS']?.split(' ') ?? [])]
  const child = spawn(process.execPath, [...flags, file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Whatever becomes of the bench: one that is left over would take time from the next.
  process.once('exit', () => child.kill())
  const [address = '', ...furtherPids] = await new Promise<string[]>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', chunk => {
      text += chunk
      const found = /^ready (.+)\n/m.exec(text)
      if (found?.[1]) resolve(found[1].split(' '))
    })
    child.on('exit', code => reject(new Error(`${name} ended with ${code}`)))
  })
  const end = () => {
    const gone = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGTERM')
    return gone
  }
  return { address, pid: child.pid ?? 0, furtherPids: furtherPids.map(Number), end }
}
