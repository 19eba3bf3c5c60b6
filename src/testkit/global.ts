import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { createDatabases, startEmbeddedPostgres } from '../server/database/embedded-postgres.ts'
import { migrateDatabase } from '../server/database/migrate.ts'
import { startQueue } from '../server/worker.ts'
import { temporaryDataFolder } from './data-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection address with `DATABASE` for the name. */
    ownerUrl: string
    applicationUrl: string
  }
}

/** One PostgreSQL for the whole run, with a migrated template of a home and of a zone database. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = temporaryDataFolder('test')
  const postgres = await startEmbeddedPostgres(folder, {
    flags: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'],
  })
  await createDatabases(postgres, ['template_home', 'template_zone'])
  await Promise.all([
    migrateDatabase('home', postgres.ownerUrl('template_home')),
    migrateDatabase('CN', postgres.ownerUrl('template_zone')),
  ])
  await Promise.all(['template_home', 'template_zone'].map(name => startQueue(postgres.url(name))))
  project.provide('ownerUrl', postgres.ownerUrl('DATABASE'))
  project.provide('applicationUrl', postgres.url('DATABASE'))
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
