import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

/** What calls a server as fast as it answers. */
export interface Load {
  name: string
  /** Over 16 connections, where the request says nothing else. */
  shoot(request: autocannon.Options, seconds: number): Promise<Shot>
}

export interface Shot {
  good: number
  perSecond: number
  refused: number
}

const usualConnections = 16

/**
 * Everywhere there, as it comes with our packages. It takes a third of a processor for ten thousand calls a second, and
 * asks in bursts: what is asked by it is asked for several answers in one turn of its loop.
 */
export const byAutocannon: Load = {
  name: 'autocannon',
  shoot: async (request, seconds) => {
    const result = await autocannon({ connections: usualConnections, ...request, duration: seconds })
    const good = result['2xx']
    return { good, perSecond: good / result.duration, refused: result.non2xx + result.errors }
  },
}

const wrk = '/usr/bin/wrk'
export const installWrk = 'apt-get install wrk'

/** Takes next to nothing of the processors that what is measured needs, as callers on other machines do. Null where it is not installed. */
export const byWrk: Load | null = existsSync(wrk) ? { name: 'wrk', shoot: shootByWrk } : null

async function shootByWrk(request: autocannon.Options, seconds: number): Promise<Shot> {
  const { url, method = 'GET', headers = {}, body = '', connections = usualConnections } = request
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-wrk-'))
  const script = path.join(folder, 'request.lua')
  const lines = [`wrk.method = ${luaText(method)}`, `wrk.body = ${luaText(String(body))}`]
  for (const [name, value] of Object.entries(headers))
    lines.push(`wrk.headers[${luaText(name)}] = ${luaText(String(value))}`)
  writeFileSync(script, lines.join('\n'))
  try {
    const args = [
      '--threads',
      '1',
      '--connections',
      String(connections),
      '--duration',
      `${seconds}s`,
      '--script',
      script,
    ]
    const { stdout } = await promisify(execFile)(wrk, [...args, String(url)])
    return readShot(stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readShot(said: string): Shot {
  const [, all, took = ''] = /(\d+) requests in ([\d.]+)s/.exec(said) ?? []
  if (all === undefined) throw new Error(`wrk said: ${said}`)
  const bad = Number(/Non-2xx or 3xx responses: (\d+)/.exec(said)?.[1] ?? 0)
  const broken = /Socket errors: (.*)/.exec(said)?.[1]?.match(/\d+/g) ?? []
  const good = Number(all) - bad
  return { good, perSecond: good / Number(took), refused: broken.reduce((sum, one) => sum + Number(one), bad) }
}

/** A string of Lua reads the same escapes as one of JSON, as long as all of it is ASCII. */
const luaText = (text: string) => JSON.stringify(text)
