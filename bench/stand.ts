import { rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { boot, type DatabaseUrls } from '../src/server/boot.ts'
import { readConfig } from '../src/server/config.ts'
import { createDatabases, startEmbeddedPostgres } from '../src/server/database/embedded-postgres.ts'
import { guardTables } from '../src/server/database/guard.ts'
import { firstRun, gatekeeperOf, services } from '../src/services/all.server.ts'
import { temporaryDataFolder } from '../src/testkit/data-folder.ts'
import { startProgram } from './measure.ts'

export interface Stand {
  address: string
  pid: number
  /** Of the processes that serve the port with it. */
  furtherPids: number[]
  postgresPid: number
  dataDir: string
  teamId: string
  /** What bare programs need to reach the same databases. */
  env: NodeJS.ProcessEnv
  databases: DatabaseUrls
  /** Of the signed-in leader. */
  headers: Record<string, string>
  asOwner(database: 'home' | 'cn', text: string): Promise<void>
}

/** Loggia as a program of its own, over a durable PostgreSQL; everything is gone afterwards. */
export async function withStand(
  work: (stand: Stand) => Promise<void>,
  seed: (run: Stand['asOwner'], teamId: string) => Promise<void> = async () => undefined,
  processes = 1,
): Promise<void> {
  const folder = temporaryDataFolder('bench', os.tmpdir())
  const dataDir = path.join(folder, 'data')
  const postgres = await startEmbeddedPostgres(folder)
  try {
    await createDatabases(postgres, ['loggia_home', 'loggia_cn'])
    const urls: DatabaseUrls = {
      home: { url: postgres.url('loggia_home'), ownerUrl: postgres.ownerUrl('loggia_home') },
      CN: { url: postgres.url('loggia_cn'), ownerUrl: postgres.ownerUrl('loggia_cn') },
    }
    const asOwner: Stand['asOwner'] = async (database, text) => {
      const client = new pg.Client({ connectionString: postgres.ownerUrl(`loggia_${database}`) })
      await client.connect()
      await client.query(text)
      await guardTables(client).finally(() => client.end())
    }
    const { leader, teamId } = await found(dataDir, urls)
    await seed(asOwner, teamId)
    const env = {
      NODE_ENV: 'production',
      LOGGIA_DATA: dataDir,
      TEAM_ID: teamId,
      LOGGIA_PROCESSES: String(processes),
      DATABASE_URL_HOME: urls.home?.url,
      DATABASE_OWNER_URL_HOME: urls.home?.ownerUrl,
      DATABASE_URL_CN: urls.CN?.url,
      DATABASE_OWNER_URL_CN: urls.CN?.ownerUrl,
    }
    const ours = await startProgram('our-server.ts', env)
    const headers = { ...(await signIn(ours.address, leader)), teamid: teamId }
    try {
      const { address, pid, furtherPids } = ours
      const there = { address, pid, furtherPids, postgresPid: postgres.pid, dataDir, teamId, env, databases: urls }
      await work({ ...there, headers, asOwner })
    } finally {
      await ours.end()
    }
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function found(dataDir: string, urls: DatabaseUrls) {
  const config = readConfig({ LOGGIA_DATA: dataDir, ZONES: 'CN', LOG_LEVEL: 'warn' })
  const booted = await boot(config, urls, { services, gatekeeperOf })
  const signIns = await firstRun(booted.server)
  await booted.close()
  const leader = signIns?.find(one => one.who === 'administrator')
  if (!leader) throw new Error('the installation was not empty')
  return { leader, teamId: await teamOf(urls) }
}

/** The team of the first people, beside that of the demo project. Row-level security hides both from the application's role. */
async function teamOf(urls: DatabaseUrls): Promise<string> {
  const client = new pg.Client({ connectionString: urls.home?.ownerUrl ?? '' })
  await client.connect()
  const { rows } = await client.query<{ team_id: string }>('SELECT team_id FROM teams WHERE NOT is_for_visitors')
  await client.end()
  return rows[0]?.team_id ?? ''
}

async function signIn(
  address: string,
  leader: { loginName: string; password: string },
): Promise<Record<string, string>> {
  const reply = await fetch(`${address}/oauth2/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: leader.loginName, password: leader.password }),
  })
  const { csrfToken } = (await reply.json()) as { csrfToken: string }
  const cookie = reply.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')
  return { cookie, 'x-hd-csrf': csrfToken }
}
