import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { temporaryDataFolder } from '../../../../testkit/data-folder.ts'
import type { FunctionEngine, Instance, InstanceSpec, Outcome } from './port.ts'

/** An engine of a test file's own, with a folder for packages; both are gone when the file is done. */
export function openEngine(engine: FunctionEngine) {
  const folder = temporaryDataFolder('functions', os.tmpdir())
  const lines: { requestId: string | null; level: string; line: string }[] = []
  let packages = 0
  let calls = 0
  afterAll(async () => {
    await engine.close()
    rmSync(folder, { recursive: true })
  })

  /** A package of these files, started. */
  async function start(
    files: Record<string, string>,
    wishes: Partial<InstanceSpec> = {},
    by = engine,
  ): Promise<Instance> {
    const place = path.join(folder, String(++packages))
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(place, name)), { recursive: true })
      writeFileSync(path.join(place, name), text)
    }
    const spec: InstanceSpec = {
      projectId: '1',
      functionId: String(packages),
      functionName: 'measured',
      version: '1',
      folder: place,
      layers: [],
      handler: 'index.handler',
      initialiser: null,
      initTimeoutMs: 5_000,
      isObject: false,
      memoryMb: 128,
      env: {},
      connect: null,
      ...wishes,
    }
    return by.start(spec, { log: line => lines.push(line) })
  }

  const call = (instance: Instance, event: unknown = {}, timeoutMs = 5_000, caller = null): Promise<Outcome> =>
    instance.call({ id: `call-${++calls}`, event: JSON.stringify(event), caller, timeoutMs })

  async function answerOf(instance: Instance, event?: unknown, timeoutMs?: number): Promise<unknown> {
    const outcome = await call(instance, event, timeoutMs)
    if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome))
    return outcome.result.kind === 'json' ? JSON.parse(outcome.result.text) : outcome.result
  }

  return { folder, lines, start, call, answerOf }
}

/** A handler that tries something and answers by what it was refused. */
export const tried = (body: string) => ({
  'index.js': `exports.handler = async event => { try { return await (async () => { ${body} })() } catch (error) { return { code: error.code ?? error.name } } }`,
})
