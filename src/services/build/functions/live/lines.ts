import { keptText } from '../../../../kernel/text.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { LiveFeed } from '../../../../server/live-feed.ts'
import type { Server } from '../../../../server/server.ts'
import type { LogLevel } from '../engine/frames.ts'
import type { invocations } from '../tables.ts'

const mostShown = 300
const shownForMs = 10 * 60_000
const lineShown = 1_000
/** What comes within so long is told at once, as much of it as fits into one signal. */
const gatherMs = 200
/** Waiting to be told, of one function on one process; what is more is counted alone. */
const mostWaiting = 300

interface Ended {
  outcome: (typeof invocations.$inferSelect)['outcome']
  durationMs: number
}

/** A line that a copy writes, or the end of a call with what became of it. */
export interface LiveLine {
  lineId: string
  at: number
  /** Null for what a copy writes outside of calls. */
  requestId: string | null
  version: string
  level: LogLevel
  line: string
  /** Of the end of a call. */
  end: Ended | null
}

/** Which function it is, and where. */
interface Subject {
  zone: ZoneId
  functionId: string
  version: string
}

interface Waiting {
  subject: Subject
  lines: LiveLine[]
  leftOut: number
}

/** What copies write, told while they run to those who look. Kept lines are in the records of calls. */
export class LiveLines {
  readonly feed: LiveFeed<LiveLine>
  readonly #server: Server
  readonly #waiting = new Map<string, Waiting>()
  #timer: NodeJS.Timeout | undefined

  constructor(server: Server) {
    this.#server = server
    this.feed = new LiveFeed(server, { name: 'functions', mostShown, shownForMs, cameAt: one => one.at })
  }

  /** What is told of others costs nothing where it is asked first. */
  isWatched({ zone, functionId }: Subject): boolean {
    return this.feed.isWatched(zone, functionId)
  }

  wrote(subject: Subject, { requestId, level, line }: Pick<LiveLine, 'requestId' | 'level' | 'line'>): void {
    if (this.isWatched(subject))
      this.#add(subject, { requestId: requestId?.split('-', 1)[0] ?? null, level, line, end: null })
  }

  /** `line` is why, where it failed. */
  ended(subject: Subject, { requestId, line, ...end }: Ended & { requestId: string; line: string }): void {
    this.#add(subject, { requestId, level: end.outcome === 'SUCCESS' ? 'info' : 'error', line, end })
  }

  #add(subject: Subject, { line, ...rest }: Omit<LiveLine, 'lineId' | 'at' | 'version'>): void {
    const key = `${subject.zone} ${subject.functionId}`
    const waiting = this.#waiting.get(key) ?? { subject, lines: [], leftOut: 0 }
    this.#waiting.set(key, waiting)
    if (waiting.lines.length < mostWaiting) waiting.lines.push(this.#lineOf(subject, { line, ...rest }))
    else waiting.leftOut++
    this.#timer ??= setTimeout(() => this.#tell(), gatherMs)
  }

  #lineOf({ version }: Subject, { line, ...rest }: Omit<LiveLine, 'lineId' | 'at' | 'version'>): LiveLine {
    const text = keptText(line.slice(0, lineShown))
    return { lineId: this.#server.ids.next(), at: this.#server.clock.now(), version, line: text, ...rest }
  }

  #tell(): void {
    this.#timer = undefined
    for (const waiting of this.#waiting.values()) {
      const { zone } = waiting.subject
      this.#server.pools
        .of(zone)
        .query('SELECT pg_notify($1, $2)', [this.feed.channel, this.#payloadOf(waiting)])
        .catch((error: Error) =>
          this.#server.log.warn({ zone, reason: error.message }, 'lines of functions were not told'),
        )
    }
    this.#waiting.clear()
  }

  /** What fits; of the rest it is said how much it is. */
  #payloadOf({ subject, lines, leftOut }: Waiting): string {
    const { functionId } = subject
    const whole = this.feed.payloadOf(functionId, lines)
    if (leftOut === 0 && whole.told === lines.length) return whole.payload
    const lack = (count: number) => {
      const line = `${count} lines came faster than they can be shown; the record of a call has them`
      return this.#lineOf(subject, { requestId: null, level: 'warn', line, end: null })
    }
    const fits = this.feed.payloadOf(functionId, [lack(lines.length + leftOut), ...lines]).told - 1
    return this.feed.payloadOf(functionId, [...lines.slice(0, fits), lack(lines.length - fits + leftOut)]).payload
  }
}

const all = new WeakMap<Server, LiveLines>()

/** One a process. */
export function liveLinesOf(server: Server): LiveLines {
  let live = all.get(server)
  if (!live) {
    live = new LiveLines(server)
    all.set(server, live)
  }
  return live
}
