import { Readable } from 'node:stream'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import type { Download } from '../../../../server/implement.ts'
import type { Server } from '../../../../server/server.ts'
import { type Kind, kinds } from '../rules.ts'
import type { Compiled } from './compiled.ts'
import { configMemoryOf } from './memory.ts'

const purpose = 'remote config stream'
const goodForMs = 86_400_000
const tokenForMs = 60_000
const heartbeatMs = 25_000
const mostWaitingBytes = 65_536
/** Clients that hear of a change come back over at most this time. */
const mostSpreadMs = 30_000
const returnsPerSecond = 1_000

interface Channel {
  zone: ZoneId
  projectId: string
  kind: Kind
}

/** What opens a stream where no header can be sent: good for a day, for one template. */
function channelToken(server: Server, { zone, projectId, kind }: Channel): string {
  const plain = `${zone}.${projectId}.${kind}.${Math.floor((server.clock.now() + goodForMs) / 1000)}`
  return `${plain}.${server.masterKey.sign(purpose, plain)}`
}

const lastTokens = new WeakMap<Compiled, { token: string; madeAt: number }>()

/** The token of a template, made once a minute: signing costs as much as an evaluation. */
export function channelOfTemplate(server: Server, zone: ZoneId, compiled: Compiled): string {
  const now = server.clock.now()
  const last = lastTokens.get(compiled)
  if (last && now >= last.madeAt && now - last.madeAt < tokenForMs) return last.token
  const token = channelToken(server, { zone, projectId: compiled.projectId, kind: compiled.kind })
  lastTokens.set(compiled, { token, madeAt: now })
  return token
}

/** The template that a token opens a stream of, and until when. Refuses 401. */
function channelOf(server: Server, token: string): Channel & { endsAt: number } {
  const cut = token.lastIndexOf('.')
  const plain = token.slice(0, Math.max(cut, 0))
  const [zone, projectId = '', kind, ends] = plain.split('.')
  const endsAt = Number(ends) * 1000
  const isRight = cut > 0 && token.length < 300 && server.masterKey.verify(purpose, plain, token.slice(cut + 1))
  if (!isRight || !(endsAt > server.clock.now())) refuse(commonErrors.tokenInvalid)
  if (!server.config.zones.includes(zone as ZoneId)) refuse(commonErrors.zoneInvalid)
  return { zone: zone as ZoneId, projectId, kind: kinds.find(one => one === kind) ?? 'client', endsAt }
}

/** One listener: frames wait in it while the reader is slow, and what is too slow is let go. */
class Line extends Readable {
  readonly endsAt: number

  constructor(endsAt: number) {
    super({ highWaterMark: 4_096 })
    this.endsAt = endsAt
  }

  override _read(): void {}

  say(frame: string): void {
    if (this.readableLength > mostWaitingBytes) this.destroy()
    else this.push(frame)
  }
}

/** All listeners of this process. */
export class Streams {
  readonly #server: Server
  readonly #lines = new Set<Line>()
  #timer: NodeJS.Timeout | undefined

  constructor(server: Server) {
    this.#server = server
  }

  start(): void {
    this.#timer = setInterval(() => this.#beat(), heartbeatMs)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    for (const line of this.#lines) line.push(null)
  }

  get size(): number {
    return this.#lines.size
  }

  /** Opens a stream. Whoever saw an older version, by `Last-Event-ID` or `from`, is told of the present one at once. */
  async open(token: string, lastEventId: unknown, from: unknown): Promise<Download> {
    const { endsAt, zone, projectId, kind } = channelOf(this.#server, token)
    const memory = configMemoryOf(this.#server)
    const line = new Line(endsAt)
    let told = versionOf(lastEventId) ?? versionOf(from) ?? -1
    const tell = (compiled: Compiled) => {
      if (compiled.version <= told) return
      told = compiled.version
      line.say(this.#frameOf(compiled))
    }
    // Heard before it is read, so that nothing falls between.
    const end = memory.hear(zone, projectId, kind, tell)
    this.#lines.add(line)
    line.once('close', () => {
      end()
      this.#lines.delete(line)
    })
    try {
      line.say('retry: 3000\n: open\n\n')
      const now = await memory.get(zone, projectId, kind)
      if (told === -1) told = now.version
      else tell(now)
    } catch (error) {
      line.destroy()
      throw error
    }
    return {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-store, no-transform',
        'x-accel-buffering': 'no',
        'access-control-allow-origin': '*',
      },
      body: line,
    }
  }

  #frameOf({ etag, version, publishedAt }: Compiled): string {
    const spreadMs = Math.min(mostSpreadMs, Math.ceil((this.#lines.size / returnsPerSecond) * 1_000))
    const lastModified = Math.floor(publishedAt / 1000)
    const data = { type: 'refetchEvaluation', etag, lastModified, version: String(version), spreadMs }
    return `id: ${version}\nevent: message\ndata: ${JSON.stringify(data)}\n\n`
  }

  #beat(): void {
    const now = this.#server.clock.now()
    for (const line of this.#lines) {
      if (line.endsAt <= now) line.push(null)
      else line.say(': still here\n\n')
    }
  }
}

function versionOf(value: unknown): number | null {
  return typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : null
}

const all = new WeakMap<Server, Streams>()

/** The listeners of this process. */
export function streamsOf(server: Server): Streams {
  let streams = all.get(server)
  if (!streams) {
    streams = new Streams(server)
    all.set(server, streams)
  }
  return streams
}
