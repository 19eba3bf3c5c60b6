import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { boot } from '../src/server/boot.ts'
import { readConfig } from '../src/server/config.ts'
import { guardTables } from '../src/server/database/guard.ts'
import { firstRun, gatekeeperOf, services } from '../src/services/all.server.ts'
import { withDatabase } from './database.ts'
import { inTurns, memoryMb, print, startProgram, words } from './measure.ts'
import { notesSql } from './notes.ts'

/** A validated, authenticated POST that inserts one row, and a list of 20, against a bare Fastify and pg. */
await withDatabase(['loggia_home', 'loggia_cn'], async postgres => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'loggia-bench-data-'))
  const urls = {
    home: { url: postgres.url('loggia_home'), ownerUrl: postgres.ownerUrl('loggia_home') },
    CN: { url: postgres.url('loggia_cn'), ownerUrl: postgres.ownerUrl('loggia_cn') },
  }
  const { signIn, team } = await prepare(dataDir, urls)
  const env = {
    LOGGIA_DATA: dataDir,
    DATABASE_URL_HOME: urls.home.url,
    OWNER_URL_HOME: urls.home.ownerUrl,
    DATABASE_URL_CN: urls.CN.url,
    OWNER_URL_CN: urls.CN.ownerUrl,
    NODE_ENV: 'production',
  }
  const folder = new URL('.', import.meta.url).pathname
  const ours = await startProgram(`${folder}our-server.ts`, env)
  const bare = await startProgram(`${folder}bare-server.ts`, { ...env, TEAM_ID: team })
  await new Promise(resolve => setTimeout(resolve, 3_000))
  process.stdout.write(`memory of the server at rest: ${memoryMb(ours.pid).toFixed(0)} MB (limit 250)\n`)
  const headers = { ...(await signInAt(ours.address, signIn)), teamid: team, 'content-type': 'application/json' }
  const body = JSON.stringify({
    title: 'A note of some length',
    body: 'With a body that says a little more than the title does.',
  })
  const bareHeaders = { 'x-token': 'token', 'content-type': 'application/json' }
  const create = await inTurns(
    {
      name: 'Loggia',
      pid: ours.pid,
      request: { url: `${ours.address}/bench/notes/v1/notes`, method: 'POST', headers, body },
    },
    {
      name: 'bare',
      pid: bare.pid,
      request: { url: `${bare.address}/notes`, method: 'POST', headers: bareHeaders, body },
    },
  )
  print('POST that inserts one row', create.ratio, 1.6, words(create))
  const owner = new pg.Client({ connectionString: urls.CN.ownerUrl })
  await owner.connect()
  await owner.query('ANALYZE notes')
  await owner.end()
  const listing = await inTurns(
    { name: 'Loggia', pid: ours.pid, request: { url: `${ours.address}/bench/notes/v1/notes`, headers } },
    { name: 'bare', pid: bare.pid, request: { url: `${bare.address}/notes`, headers: bareHeaders } },
  )
  print('list of 20', listing.ratio, 1.6, words(listing))
  ours.child.kill("SIGINT")
  bare.child.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

async function prepare(dataDir: string, urls: Parameters<typeof boot>[1]) {
  const config = readConfig({ LOGGIA_DATA: dataDir, ZONES: 'CN', LOG_LEVEL: 'warn' })
  const booted = await boot(config, urls, { services, gatekeeperOf })
  const signIns = await firstRun(booted.server)
  await booted.close()
  const client = new pg.Client({ connectionString: urls.CN?.ownerUrl ?? '' })
  await client.connect()
  await client.query(notesSql)
  await guardTables(client)
  await client.end()
  const home = new pg.Client({ connectionString: urls.home?.ownerUrl ?? '' })
  await home.connect()
  const { rows } = await home.query<{ team_id: string }>('SELECT team_id FROM teams')
  await home.end()
  const signIn = signIns?.find(one => one.who === 'administrator')
  if (!signIn || !rows[0]) throw new Error('the installation was not empty')
  return { signIn, team: rows[0].team_id }
}

async function signInAt(
  address: string,
  signIn: { loginName: string; password: string },
): Promise<Record<string, string>> {
  const reply = await fetch(`${address}/oauth2/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: signIn.loginName, password: signIn.password }),
  })
  const { csrfToken } = (await reply.json()) as { csrfToken: string }
  const cookie = reply.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')
  return { cookie, 'x-hd-csrf': csrfToken }
}
