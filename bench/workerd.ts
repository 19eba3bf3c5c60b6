import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findWorkerd } from '../src/services/build/functions/engine/isolates/program.ts'

const program = findWorkerd()
export const hasWorkerd = program !== null

const worker = `const handler = async event => ({ n: JSON.parse(event.body).n + 1 })
export default { async fetch(request) { return Response.json(await handler({ body: await request.text() })) } }
`
const config = (port: number) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const main :Workerd.Worker = (modules = [(name = "worker", esModule = embed "worker.js")], compatibilityDate = "2026-01-01");
`

/** workerd with the handler that the others call, too. */
export async function startWorkerd(folder: string, port: number) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'worker.js'), worker)
  writeFileSync(path.join(folder, 'config.capnp'), config(port))
  if (program === null) throw new Error('workerd is not installed')
  const child = spawn(program, ['serve', path.join(folder, 'config.capnp')], { stdio: ['ignore', 'ignore', 'inherit'] })
  // Whatever becomes of the bench: one that is left over would answer the next.
  process.once('exit', () => child.kill())
  const address = `http://127.0.0.1:${port}`
  for (const end = Date.now() + 10_000; ; ) {
    const isUp = await fetch(address, { method: 'POST', body: '{"n":1}' }).then(
      reply => reply.ok,
      () => false,
    )
    if (isUp) break
    if (Date.now() > end || child.exitCode !== null) throw new Error('workerd did not start')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return { address, pid: child.pid ?? 0, end: () => void child.kill() }
}
