import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDataFolder } from '../../../../../testkit/data-folder.ts'
import { v8Flags } from './place.ts'
import { findWorkerd } from './program.ts'

const program = findWorkerd()

/** What workerd says as it begins with these flags and a worker; it ends when it has said that it is there. */
async function saidWith(flags: readonly string[]): Promise<string> {
  const folder = temporaryDataFolder('workerd')
  writeFileSync(path.join(folder, 'worker.mjs'), 'export default { fetch: () => new Response() }')
  writeFileSync(
    path.join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ${JSON.stringify(flags)},
  services = [(name = "worker", worker = (modules = [(name = "worker.mjs", esModule = embed "worker.mjs")], compatibilityDate = "2026-11-01"))],
  sockets = [(name = "http", address = "unix:${folder}/socket", http = (), service = "worker")],
);`,
  )
  const child = spawn(program ?? '', ['serve', '--experimental', '--control-fd=3', path.join(folder, 'config.capnp')], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr?.on('data', part => {
    said += part
  })
  child.stdio[3]?.once('data', () => child.kill())
  await new Promise(resolve => child.once('close', resolve))
  rmSync(folder, { recursive: true })
  return said
}

describe.skipIf(program === null)('the process of isolates', () => {
  it('takes the modules of workerd as they were compiled', async () => {
    expect(await saidWith(v8Flags(128))).not.toContain('compiled from source')
  })

  it('would compile them for each isolate with one flag more, and says so', async () => {
    expect(await saidWith([...v8Flags(128), '--expose-gc'])).toContain('compiled from source')
  })
})
