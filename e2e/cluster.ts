import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import pg from 'pg'
import { temporaryDataFolder } from '../src/testkit/data-folder.ts'
import { freePort, signIn, type Visitor } from './loggia.ts'

const root = new URL('..', import.meta.url).pathname
const node = `${root}node_modules/.bin/node`

/** One process of several that are one Loggia. */
export class Member {
  readonly port: number
  readonly url: string
  readonly #env: NodeJS.ProcessEnv
  #child: ChildProcess | undefined
  #isReady = false
  printed = ''

  constructor(port: number, env: NodeJS.ProcessEnv) {
    this.port = port
    this.url = `http://localhost:${port}`
    this.#env = { ...env, PORT: String(port) }
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** Up, or on its way. */
  get isAlive(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  get state(): 'up' | 'starting' | 'down' {
    if (!this.isAlive) return 'down'
    return this.#isReady ? 'up' : 'starting'
  }

  async up(): Promise<void> {
    const child = spawn(
      node,
      [
        '--min-semi-space-size=16',
        '--max-semi-space-size=32',
        // Faults are mostly starts, several at a time: threads beside each would make them a fifth dearer.
        '--single-threaded-gc',
        '--import',
        './src/server/quick-start.ts',
        'src/server/main.ts',
      ],
      {
        cwd: root,
        env: { ...process.env, NODE_COMPILE_CACHE: `${root}node_modules/.cache/compiled`, ...this.#env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    this.#child = child
    this.printed = ''
    await new Promise<void>(resolve => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', chunk => {
          this.printed = (this.printed + chunk).slice(-20_000)
          if (this.printed.includes('Ctrl-C stops it.')) resolve()
        })
      }
      child.once('exit', () => resolve())
    })
    this.#isReady = this.isAlive
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child
    this.#isReady = false
    if (!child || !this.isAlive) return
    const gone = new Promise(resolve => child.once('exit', resolve))
    child.kill(signal)
    await gone
  }
}

/** Several server processes over one PostgreSQL and one root of bytes. */
export class Cluster {
  readonly dataDir = temporaryDataFolder('cluster')
  readonly members: Member[] = []
  #postgres: ChildProcess | undefined
  #env: NodeJS.ProcessEnv = {}

  /** `zones`: what each member serves; all serve China unless said. */
  static async start(size: number, env: NodeJS.ProcessEnv = {}, zones: readonly string[] = []): Promise<Cluster> {
    const cluster = new Cluster()
    await cluster.#startPostgres()
    for (let number = 0; number < size; number++) {
      const member = new Member(await freePort(), {
        NODE_ENV: 'production',
        LOGGIA_RATE_FACTOR: '1000',
        LOG_LEVEL: 'warn',
        LOGGIA_DATA: cluster.dataDir,
        LOGGIA_NODE: String(number + 1),
        ZONES: zones[number] ?? 'CN',
        ...cluster.#env,
        ...env,
      })
      cluster.members.push(member)
      await member.up()
      if (!member.isReady) throw new Error(`a server did not start: ${member.printed}`)
    }
    return cluster
  }

  async #startPostgres(): Promise<void> {
    const child = spawn(node, ['e2e/postgres.ts', this.dataDir], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
    this.#postgres = child
    this.#env = await new Promise((resolve, reject) => {
      child.stdout.once('data', chunk => resolve(JSON.parse(String(chunk)) as NodeJS.ProcessEnv))
      child.once('exit', code => reject(new Error(`PostgreSQL ended with ${code}`)))
    })
  }

  async signIn(who: string, member = this.members[0] as Member): Promise<Visitor> {
    return signIn(member.url, this.dataDir, who)
  }

  /** Looks into a database as its owner. */
  async sql<Row extends pg.QueryResultRow>(
    database: 'HOME' | 'CN' | 'DE',
    text: string,
    values?: unknown[],
  ): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.#env[`DATABASE_OWNER_URL_${database}`] })
    await client.connect()
    try {
      return (await client.query<Row>(text, values)).rows
    } finally {
      await client.end()
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.members.map(member => member.kill()))
    const gone = new Promise(resolve => this.#postgres?.once('exit', resolve))
    this.#postgres?.kill('SIGTERM')
    await gone
    rmSync(this.dataDir, { recursive: true, force: true })
  }
}
