import { mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryDataFolder } from '../../testkit/data-folder.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

let folder: string
let server: EmbeddedPostgres
beforeAll(async () => {
  folder = temporaryDataFolder('embedded')
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
  it.runIf(process.getuid?.() === 0)(
    'keeps its files elsewhere below a closed folder, new ones each time',
    async () => {
      const closed = mkdtempSync(path.join(os.tmpdir(), 'loggia-closed-'))
      const places: string[] = []
      for (const _ of [1, 2]) {
        const data = path.join(closed, 'data')
        const one = await startEmbeddedPostgres(data, { flags: ['fsync=off'] })
        await one.stop()
        const place = path.dirname(readlinkSync(path.join(data, 'postgres')))
        expect(readFileSync(path.join(place, 'belongs-to'), 'utf8')).toBe(`${path.join(data, 'postgres')}\n`)
        places.push(place)
        rmSync(data, { recursive: true })
      }
      expect(new Set(places).size).toBe(2)
      for (const folder of [...places, closed]) rmSync(folder, { recursive: true })
    },
  )
})
