import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pg from 'pg'
import { inject } from 'vitest'
import type { Answer, CallSpec, Contract, Input } from '../kernel/contract.ts'
import { headers } from '../kernel/wire.ts'
import { siteOfZone, type ZoneId, zones } from '../kernel/zones.ts'
import { type Booted, boot, type DatabaseUrls, type Parts } from '../server/boot.ts'
import { TurnableClock } from '../server/clock.ts'
import { type Config, readConfig } from '../server/config.ts'
import { systemContext } from '../server/context.ts'
import { databaseOf } from '../server/database/embedded-postgres.ts'
import type { DatabaseName } from '../server/database/pools.ts'
import { createLog } from '../server/log.ts'
import { gatekeeperOf, services } from '../services/all.server.ts'
import { createAccount, setHomeTeam } from '../services/ground/session/public.ts'
import { foundTeam, joinTeam } from '../services/ground/teams/public.ts'
import type { StaffRole, TeamRole } from '../services/ground/teams/rules.ts'
import { heard, hearing } from './heard.ts'

/** A whole server over databases of its own, in this process, with a clock that can be turned. */
export interface Stage {
  booted: Booted
  app: FastifyInstance
  clock: TurnableClock
  dataDir: string
  /** A new account with a session; makes a team of its own unless one is given. Staff have none. */
  person(wanted?: { roles?: TeamRole[]; team?: string; staff?: StaffRole[]; zone?: ZoneId }): Promise<Person>
  /** Somebody without a session: a device, a visitor. */
  anybody: Person
  /** Waits until no event waits and no job runs; throws after 60 s. */
  settle(): Promise<void>
  /** Waits until the first server has heard the signals of all that was committed; after it, what it remembers stays. */
  heard(database: DatabaseName): Promise<void>
  /** Runs SQL as the owner, past row-level security: for looking, and for breaking things. */
  sql<Row extends pg.QueryResultRow>(database: DatabaseName, text: string, values?: unknown[]): Promise<Row[]>
  /** The mails sent so far, the first one first. */
  mails(): Promise<SentMail[]>
  /** One more server process's worth over the same databases and bytes; closed with the stage. */
  another(): Promise<Booted>
  /** The same person, with the same session, on another server. */
  at(server: Booted, person: Person): Person
  /** Listens on a free port of this machine and returns the address. */
  listen(): Promise<string>
  close(): Promise<void>
}

export interface SentMail {
  to: string
  subject: string
  text: string
  html: string | null
}

export interface Reply<T> {
  status: number
  body: T & {
    ret: { code: number; msg: string }
    fields?: { pointer: string; rule: string; message: string }[]
  } & Record<string, unknown>
  headers: Record<string, string | string[] | number | undefined>
  text: string
  /** What a download sends. */
  bytes: Buffer
}

export type CallInput<S extends CallSpec> = Partial<Input<S>> & {
  headers?: Record<string, string>
  zone?: ZoneId
}

export interface Person {
  accountId: string
  teamId: string
  loginName: string
  password: string
  cookie: string
  csrfToken: string
  /** Calls and returns whatever is answered. */
  call<C extends Contract, N extends keyof C['calls'] & string>(
    contract: C,
    name: N,
    input?: CallInput<C['calls'][N]>,
  ): Promise<Reply<Answer<C['calls'][N]>>>
  /** Calls and throws unless it is 200. */
  ok<C extends Contract, N extends keyof C['calls'] & string>(
    contract: C,
    name: N,
    input?: CallInput<C['calls'][N]>,
  ): Promise<Reply<Answer<C['calls'][N]>>['body']>
}

export interface StageOptions {
  /** Each is a database to make and a worker to run: only what tests of several zones ask for. `['CN']` unless said. */
  zones?: ZoneId[]
  /** Mounted and run besides Loggia's own services: what a test of the frame needs. */
  services?: Parts['services']
  /** 1 keeps the real rate limits; tests have none unless they ask. */
  rateFactor?: number
  /** What requests outside may reach besides public addresses: `127.0.0.1:PORT` of a server of the test. */
  outboundAllow?: readonly string[]
  /** Takes everything that is logged, down to the finest: for looking what stands there. */
  logTo?: { write(line: string): void }
  /** Anything else of the configuration: `{ bytes: 's3://...' }`. */
  config?: Partial<Config>
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const prefix = `t${randomBytes(5).toString('hex')}`
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'loggia-stage-'))
  const zones = options.zones ?? ['CN']
  const names: DatabaseName[] = ['home', ...zones]
  const databases = await cloneDatabases(prefix, names)
  const clock = new TurnableClock()
  const log = options.logTo ? createLog('trace', options.logTo) : createLog(process.env['LOG_LEVEL'] ?? 'silent')
  const config = {
    ...readConfig({ LOGGIA_PROCESSES: '1' }),
    dataDir,
    zones,
    outboundAllow: options.outboundAllow ?? [],
    // Tests bring their own code; those of the walls say where there are none.
    functions: 'unwalled' as const,
    ...options.config,
    rateFactor: options.rateFactor ?? 1_000_000,
    publicUrl: 'http://localhost:8080',
    node: randomBytes(2).readUInt16BE() % 1024,
  }
  const parts = { services: [...services, hearing, ...(options.services ?? [])], gatekeeperOf }
  const booted = await boot(config, databases, parts, { clock, log, migrate: false })
  const { app } = booted
  const others: Booted[] = []
  const sql: Stage['sql'] = async (database, text, values) => {
    const client = new pg.Client({ connectionString: databases[database]?.ownerUrl ?? '' })
    await client.connect()
    try {
      return (await client.query(text, values)).rows
    } finally {
      await client.end()
    }
  }
  return {
    booted,
    app,
    clock,
    dataDir,
    sql,
    anybody: personOn(app, { accountId: '', teamId: '', loginName: '', password: '', cookie: '', csrfToken: '' }),
    person: wanted => makePerson(booted, wanted ?? {}),
    settle: () => settle(booted, sql),
    heard: database => heard(booted.server, database),
    mails: async () => (await booted.server.mail.kept?.list(500))?.list.reverse() ?? [],
    another: async () => {
      const other = await boot({ ...config, node: (config.node + others.length + 1) % 1024 }, databases, parts, {
        clock,
        log,
        migrate: false,
      })
      others.push(other)
      return other
    },
    at: (server, person) => personOn(server.app, person),
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    close: async () => {
      await Promise.all([booted, ...others].map(one => one.close()))
      rmSync(dataDir, { recursive: true, force: true })
      await dropDatabases(prefix, names)
    },
  }
}

async function cloneDatabases(prefix: string, names: DatabaseName[]): Promise<DatabaseUrls> {
  await asOwner(async client => {
    // Cloning needs the template to itself; the lock makes test files take turns.
    await client.query('SELECT pg_advisory_lock(1)')
    for (const name of names) {
      const template = name === 'home' ? 'template_home' : 'template_zone'
      await client.query(`CREATE DATABASE ${databaseOf(name, prefix)} TEMPLATE ${template} STRATEGY FILE_COPY`)
    }
  })
  const at = (url: string, name: DatabaseName) => url.replace('DATABASE', databaseOf(name, prefix))
  return Object.fromEntries(
    names.map(name => [name, { url: at(inject('applicationUrl'), name), ownerUrl: at(inject('ownerUrl'), name) }]),
  )
}

async function dropDatabases(prefix: string, names: DatabaseName[]): Promise<void> {
  await asOwner(async client => {
    for (const name of names) await client.query(`DROP DATABASE IF EXISTS ${databaseOf(name, prefix)} WITH (FORCE)`)
  })
}

async function asOwner(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: inject('ownerUrl').replace('DATABASE', 'postgres') })
  await client.connect()
  await work(client).finally(() => client.end())
}

async function makePerson(
  booted: Booted,
  wanted: { roles?: TeamRole[]; team?: string; staff?: StaffRole[]; zone?: ZoneId },
): Promise<Person> {
  const { server, app } = booted
  const zone = wanted.zone ?? 'CN'
  const loginName = `p${randomBytes(6).toString('hex')}`
  const password = randomBytes(12).toString('base64url')
  const ctx = systemContext(server, zone, { name: 'test' })
  const { accountId, teamId } = await ctx.transact(async inner => {
    const siteId = siteOfZone(zone)
    const id = await createAccount(inner, {
      loginName,
      name: loginName,
      password,
      siteId,
      staffRoles: wanted.staff ?? [],
    })
    if (wanted.team) {
      await joinTeam(inner, wanted.team, id, wanted.roles ?? ['developer'])
      await setHomeTeam(inner, id, wanted.team, siteId)
      return { accountId: id, teamId: wanted.team }
    }
    if (wanted.staff) return { accountId: id, teamId: '' }
    const team = await foundTeam(inner, { name: `team ${loginName}`, countryCode: 'CN', siteId, leaderAccountId: id })
    await setHomeTeam(inner, id, team.teamId, siteId)
    return { accountId: id, teamId: team.teamId }
  })
  const reply = await app.inject({ method: 'POST', url: '/oauth2/v1/login', payload: { account: loginName, password } })
  if (reply.statusCode !== 200) throw new Error(`sign-in: ${reply.body}`)
  const cookie = reply.cookies.map(one => `${one.name}=${encodeURIComponent(one.value)}`).join('; ')
  return personOn(app, { accountId, teamId, loginName, password, cookie, csrfToken: reply.json().csrfToken })
}

function personOn(app: FastifyInstance, who: Omit<Person, 'call' | 'ok'>): Person {
  const person: Person = {
    ...who,
    call: async (contract, name, input = {}) => {
      const call = contract.calls[name] as CallSpec
      const reply = await app.inject(requestOf(contract, call, input as CallInput<CallSpec>, person))
      const isJson = String(reply.headers['content-type']).includes('json')
      return {
        status: reply.statusCode,
        body: isJson ? reply.json() : {},
        headers: reply.headers,
        text: reply.body,
        bytes: reply.rawPayload,
      } as never
    },
    ok: async (contract, name, input) => {
      const reply = await person.call(contract, name, input)
      if (reply.status !== 200) throw new Error(`${contract.name} ${name} answered ${reply.status}: ${reply.text}`)
      return reply.body
    },
  }
  return person
}

function requestOf(contract: Contract, call: CallSpec, input: CallInput<CallSpec>, who: Person): InjectOptions {
  const path = (contract.prefix + call.path).replace(/:(\w+)/g, (_whole, key: string) =>
    encodeURIComponent(String((input.params as Record<string, unknown> | undefined)?.[key] ?? '')),
  )
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(input.query ?? {}))
    if (value !== undefined) query.append(key, String(value))
  const zone = input.zone ? `/${zones[input.zone].slug}` : ''
  return {
    method: call.method,
    url: `${zone}${path}${query.size > 0 ? `?${query}` : ''}`,
    headers: {
      ...(who.cookie ? { cookie: who.cookie, [headers.csrf]: who.csrfToken } : {}),
      ...(who.teamId ? { [headers.team]: who.teamId } : {}),
      ...input.headers,
    },
    ...(input.body === undefined || call.method === 'GET' ? {} : { payload: input.body as InjectOptions['payload'] }),
  } as InjectOptions
}

async function settle(booted: Booted, sql: Stage['sql']): Promise<void> {
  const names = booted.server.pools.names
  for (const until = Date.now() + 60_000; ; ) {
    await Promise.all(names.map(name => booted.worker.relay.poke(name)))
    const busy = await Promise.all(
      names.map(name =>
        sql<{ events: number; jobs: number }>(
          name,
          `SELECT (SELECT count(*)::int FROM outbox WHERE relayed_at IS NULL AND attempts < 3) AS events,
            (SELECT count(*)::int FROM jobs WHERE state IN ('queued', 'running')) AS jobs`,
        ),
      ),
    )
    if (busy.every(([row]) => row?.events === 0 && row.jobs === 0)) return
    if (Date.now() > until) throw new Error(`work is left over: ${JSON.stringify(busy)}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
