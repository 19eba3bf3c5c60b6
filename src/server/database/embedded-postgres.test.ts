import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

let folder: string
let server: EmbeddedPostgres
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-embedded-'))
  server = await startEmbeddedPostgres(folder, { flags: ['fsync=off'] })
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function connected(): Promise<pg.Client> {
  for (;;) {
    const client = new pg.Client({ connectionString: server.ownerUrl('postgres'), connectionTimeoutMillis: 2_000 })
    client.on('error', () => undefined)
    const isUp = await client.connect().then(
      () => true,
      () => false,
    )
    if (isUp) return client
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

describe('the embedded PostgreSQL', () => {
  it('is started again when it was killed, and goes on however much it has to say', async () => {
    process.kill(server.pid, 'SIGKILL')
    const client = await connected()
    const long = 'x'.repeat(2_000)
    const codes = new Set<unknown>()
    for (let number = 0; number < 200; number++) {
      await client.query(`SELECT 1 / 0 AS ${long}`).catch(error => codes.add(error.code))
    }
    expect([...codes]).toEqual(['22012'])
    await client.end()
  })
})
