import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDataFolder } from '../src/testkit/data-folder.ts'
import { killPostgresOf, postgresPidOf } from './postgres-pid.ts'

it.each(['', '\n', '0\n', '-1\n', `-${process.pid}\n`, 'postmaster\n'])(
  'a pid file with %j in it names nobody, and nobody is killed',
  content => {
    const dataDir = temporaryDataFolder('pid')
    mkdirSync(path.join(dataDir, 'postgres'))
    writeFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), content)
    expect(postgresPidOf(dataDir)).toBeNull()
    expect(killPostgresOf(dataDir)).toBe(false)
    rmSync(dataDir, { recursive: true })
  },
)
