import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/** A folder for the files of one suite, removed after it. */
export function temporaryFolder(): { path(name: string): string; write(name: string, bytes: Buffer): Promise<string> } {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loggia-test-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const path = (name: string) => join(folder, name)
  const write = async (name: string, bytes: Buffer) => {
    await writeFile(path(name), bytes)
    return path(name)
  }
  return { path, write }
}
