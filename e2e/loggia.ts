import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import pg from 'pg'
import type { Answer, CallSpec, Contract, Input } from '../src/kernel/contract.ts'
import { headers } from '../src/kernel/wire.ts'
import { temporaryDataFolder } from '../src/testkit/data-folder.ts'
import { postgresPidOf } from './postgres-pid.ts'

const root = new URL('..', import.meta.url).pathname

/** Names the data folder of a Loggia that was started once and ended; see `started-once.ts`. */
export const startedData = 'LOGGIA_STARTED_DATA'

/** The program itself, as `npm run up` starts it, over a data folder of its own. */
export class Loggia {
  readonly dataDir = temporaryDataFolder('e2e')
  readonly port: number
  readonly url: string
  readonly #env: NodeJS.ProcessEnv
  #child: ChildProcess | undefined
  #printed = ''

  private constructor(port: number, env: NodeJS.ProcessEnv) {
    this.port = port
    this.url = `http://localhost:${port}`
    this.#env = env
  }

  /** Starts on a free port and waits until it is ready. */
  static async start(env: NodeJS.ProcessEnv = {}): Promise<Loggia> {
    const loggia = new Loggia(await freePort(), {
      LOGGIA_RATE_FACTOR: '1000',
      LOG_LEVEL: 'warn',
      LOGGIA_FUNCTIONS: 'unwalled',
      ...env,
    })
    const started = process.env[startedData]
    // With the owner of each file: where we are root, PostgreSQL is somebody else.
    if (started !== undefined) execFileSync('cp', ['-a', `${started}/.`, loggia.dataDir])
    await loggia.up()
    return loggia
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** What the program printed since it was last started. */
  get printed(): string {
    return this.#printed
  }

  /** Seconds until it was ready. */
  async up(): Promise<number> {
    const startedAt = performance.now()
    this.#printed = ''
    const child = spawn('sh', ['tools/run.sh', 'up'], {
      cwd: root,
      env: {
        ...process.env,
        PATH: `${root}node_modules/.bin:${process.env['PATH']}`,
        NODE_ENV: 'production',
        PORT: String(this.port),
        LOGGIA_DATA: this.dataDir,
        ...this.#env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    await new Promise<void>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', chunk => {
          this.#printed += chunk
          if (this.#printed.includes('Ctrl-C stops it.')) resolve()
        })
      }
      child.on('exit', code => reject(new Error(`Loggia ended with ${code}: ${this.#printed.slice(-2000)}`)))
    })
    return (performance.now() - startedAt) / 1000
  }

  /** Sends a signal and waits until the process is gone. Returns its exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const gone = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)))
    child.kill(signal)
    return gone
  }

  async close(): Promise<void> {
    await this.end('SIGINT')
    this.forget()
  }

  /** Takes the data of one that has ended away. */
  forget(): void {
    rmSync(this.dataDir, { recursive: true, force: true })
  }

  /** The pid of the embedded PostgreSQL, or null when none runs. */
  get postgresPid(): number | null {
    return postgresPidOf(this.dataDir)
  }

  /** Looks into a database of the embedded PostgreSQL as its owner. */
  async sql<Row extends pg.QueryResultRow>(database: DatabaseOf, text: string, values?: unknown[]): Promise<Row[]> {
    const started = readFileSync(`/proc/${this.postgresPid}/cmdline`, 'utf8').split('\0')
    const host = started[started.indexOf('-k') + 1] ?? ''
    const client = new pg.Client({ host, user: 'postgres', database: `loggia_${database}` })
    await client.connect()
    try {
      return (await client.query<Row>(text, values)).rows
    } finally {
      await client.end()
    }
  }

  /** The first sign-ins, by who they are: administrator, developer, operations, reviewer. */
  signIns(): Record<string, SignIn> {
    return firstSignIns(this.dataDir)
  }

  /** Name and password of one of the first accounts, as a browser signs in with them. */
  accountOf(who: string): [loginName: string, password: string] {
    const account = this.signIns()[who]
    if (!account) throw new Error(`there is no first account ${who}`)
    return [account.loginName, account.password]
  }

  signIn(who: string): Promise<Visitor> {
    return signIn(this.url, this.dataDir, who)
  }
}

type DatabaseOf = 'home' | 'cn' | 'sg' | 'de' | 'ru' | 'ir'

interface SignIn {
  who: string
  loginName: string
  password: string
}

export function firstSignIns(dataDir: string): Record<string, SignIn> {
  const list = JSON.parse(readFileSync(path.join(dataDir, 'first-sign-ins.json'), 'utf8')) as SignIn[]
  return Object.fromEntries(list.map(one => [one.who, one]))
}

/** Signs one of the first people in at a server. */
export async function signIn(url: string, dataDir: string, who: string): Promise<Visitor> {
  const { loginName, password } = firstSignIns(dataDir)[who] ?? { loginName: who, password: '' }
  const reply = await fetch(`${url}/oauth2/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: loginName, password }),
  })
  if (reply.status !== 200) throw new Error(`sign-in of ${who}: ${await reply.text()}`)
  const { csrfToken, teamId } = (await reply.json()) as { csrfToken: string; teamId: string }
  const cookie = reply.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')
  return new Visitor(url, { cookie, [headers.csrf]: csrfToken, ...(teamId ? { [headers.team]: teamId } : {}) })
}

type Sent<S extends CallSpec> = Partial<Input<S>> & { headers?: Record<string, string>; signal?: AbortSignal }

/** Somebody who calls over the network. */
export class Visitor {
  readonly url: string
  readonly headers: Record<string, string>

  constructor(url: string, own: Record<string, string> = {}) {
    this.url = url
    this.headers = own
  }

  /** The same session at another server. */
  at(url: string): Visitor {
    return new Visitor(url, this.headers)
  }

  /** Sends a file as one stream; returns the object's id. */
  async upload(bytes: Buffer, fileName: string, bizTag: string): Promise<string> {
    const reply = await fetch(
      `${this.url}/cfs/file_service/v1/upload/object?${new URLSearchParams({ fileName, bizTag })}`,
      {
        method: 'POST',
        headers: { ...this.headers, 'content-type': 'application/octet-stream' },
        body: new Uint8Array(bytes),
      },
    )
    if (reply.status !== 200) throw new Error(`upload of ${fileName}: ${await reply.text()}`)
    const { urlsInfo } = (await reply.json()) as { urlsInfo: { objectId: string }[] }
    return urlsInfo[0]?.objectId ?? ''
  }

  /** Calls and throws unless the answer is 200. */
  async ok<C extends Contract, N extends keyof C['calls'] & string>(
    contract: C,
    name: N,
    input: Sent<C['calls'][N]> = {},
  ): Promise<Answer<C['calls'][N]>> {
    const reply = await this.call(contract, name, input)
    if (reply.status !== 200)
      throw new Error(`${contract.name} ${name} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
    return reply.body as Answer<C['calls'][N]>
  }

  async call<C extends Contract, N extends keyof C['calls'] & string>(
    contract: C,
    name: N,
    input: Sent<C['calls'][N]> = {},
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const call = contract.calls[name] as CallSpec
    const { params = {}, query = {} } = input as { params?: Record<string, string>; query?: Record<string, unknown> }
    const place = (contract.prefix + call.path).replace(/:(\w+)/g, (_whole, key: string) =>
      encodeURIComponent(params[key] ?? ''),
    )
    const search = new URLSearchParams()
    for (const [key, value] of Object.entries(query)) if (value !== undefined) search.append(key, String(value))
    const reply = await fetch(`${this.url}${place}${search.size > 0 ? `?${search}` : ''}`, {
      method: call.method,
      headers: { ...this.headers, ...(input.body ? { 'content-type': 'application/json' } : {}), ...input.headers },
      ...(input.body ? { body: JSON.stringify(input.body) } : {}),
      ...(input.signal ? { signal: input.signal } : {}),
    })
    return { status: reply.status, body: (await reply.json().catch(() => ({}))) as Record<string, unknown> }
  }
}

/** A port that nobody has, below those that connections on their way out get: one of these would be taken meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    const isFree = await new Promise<boolean>(resolve => {
      const server = net.createServer()
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

/** Waits until `probe` gives something; throws with `what` after some seconds. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | null | undefined | false>,
  seconds = 60,
  everyMs = 100,
): Promise<T> {
  for (const end = Date.now() + seconds * 1000; ; ) {
    const found = await probe()
    if (found) return found
    if (Date.now() > end) throw new Error(`waited ${seconds} s for ${what}`)
    await new Promise(resolve => setTimeout(resolve, everyMs))
  }
}
