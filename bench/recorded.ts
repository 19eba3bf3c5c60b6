import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { boot, type DatabaseUrls } from '../src/server/boot.ts'
import { readConfig } from '../src/server/config.ts'
import { gatekeeperOf, services } from '../src/services/all.server.ts'

/** What a value was made of, where it differed between two runs of the same call: the replay makes its own. */
export type Value = { same: unknown } | { each: Value[] } | { fresh: 'id' | 'instant' | 'uuid'; like: string }

export interface Statement {
  database: string
  query: { text: string; name?: string; rowMode?: 'array' }
  values: Value[]
}

/** A call of ours as a bare server needs it to do the same: its statements, in order, and an answer of the same shape. */
export interface Recorded {
  statements: Statement[]
  answer: unknown
}

interface Asked {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  /** A function where no two calls can be the same. */
  payload?: object | (() => object)
}

type Sent = Omit<Statement, 'values'> & { values: unknown[] }

/** Makes each call twice in a Loggia of this process over the same databases, and listens to what it asks PostgreSQL. */
export async function record(env: NodeJS.ProcessEnv, databases: DatabaseUrls, calls: Asked[]): Promise<Recorded[]> {
  const recording = new AsyncLocalStorage<Sent[]>()
  const original = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [query, values] = given as [string | (pg.QueryConfig & { rowMode?: 'array' }), unknown[] | undefined]
    const {
      text,
      name,
      rowMode,
      values: own,
    } = typeof query === 'string' ? ({ text: query } as pg.QueryConfig & { rowMode?: 'array' }) : query
    recording.getStore()?.push({
      database: String(this.database),
      query: { text, ...(name ? { name } : {}), ...(rowMode ? { rowMode } : {}) },
      values: values ?? own ?? [],
    })
    return original.apply(this, given as never)
  } as typeof original
  const config = readConfig({
    ...env,
    PORT: '0',
    ZONES: 'CN',
    LOG_LEVEL: 'warn',
    LOGGIA_RATE_FACTOR: '1000000',
  })
  const { app, close } = await boot(config, databases, { services, gatekeeperOf })
  try {
    const found: Recorded[] = []
    for (const call of calls) {
      const run = async () => {
        const sent: Sent[] = []
        // `inject` starts when it is waited for, which must be in here.
        const { payload, ...rest } = call
        const asked = { ...rest, ...(payload && { payload: typeof payload === 'function' ? payload() : payload }) }
        const reply = await recording.run(sent, async () => await app.inject(asked))
        if (reply.statusCode !== 200) throw new Error(`${call.url} answered ${reply.body}`)
        return { sent: sent.filter(isOwn), answer: reply.json() as unknown }
      }
      // The first fills memories that a server under load has full.
      await run()
      const [one, other] = [await run(), await run()]
      found.push({
        statements: one.sent.map((statement, at) => compare(statement, other.sent[at])),
        answer: one.answer,
      })
    }
    return found
  } finally {
    pg.Client.prototype.query = original
    await close()
  }
}

/** Notices to other processes go out by themselves, some milliseconds later and many calls in one. */
const isOwn = ({ query }: Sent): boolean => query.name !== 'clouddb tell'

function compare(one: Sent, other: Sent | undefined): Statement {
  if (other?.query.text !== one.query.text)
    throw new Error(`the statements differ from call to call: ${one.query.text}`)
  return { ...one, values: one.values.map((value, at) => valueFor(value, other.values[at])) }
}

function valueFor(value: unknown, other: unknown): Value {
  if (value === other) return { same: value }
  if (Array.isArray(value) && Array.isArray(other)) return { each: value.map((one, at) => valueFor(one, other[at])) }
  const like = String(value)
  if (/[0-9a-f]{8}-[0-9a-f]{4}-/.test(like)) return { fresh: 'uuid', like }
  return { fresh: like.length > 15 ? 'id' : 'instant', like }
}
