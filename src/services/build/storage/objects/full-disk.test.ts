import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, it } from 'vitest'
import { FileBytes } from '../../../../server/engines/bytes/files.ts'
import type { Server } from '../../../../server/server.ts'
import { receiveContent } from './content.ts'

const MiB = 1024 ** 2
const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-full-'))

/** A disk of four megabytes; false where this machine mounts none for us. */
function mountSmall(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'pipe' })
    return true
  } catch (error) {
    process.stderr.write(
      `disk full: skipped, this machine mounts no tmpfs for tests (${String(error).split('\n')[0]})\n`,
    )
    return false
  }
}
const isSmall = mountSmall()
afterAll(() => {
  if (isSmall) execFileSync('umount', [folder])
  rmSync(folder, { recursive: true, force: true })
})

describe.runIf(isSmall)('a full disk', () => {
  it('is said plainly, keeps nothing of what did not fit, and takes files again when there is room', async () => {
    const engine = new FileBytes(path.join(folder, 'bytes'))
    const server = { bytes: () => engine } as unknown as Server
    const take = (sizeBytes: number) =>
      receiveContent(server, { zone: 'CN' }, Readable.from([randomBytes(sizeBytes)]), { limitBytes: 100 * MiB })
    const first = await take(MiB)
    await expect(take(8 * MiB)).rejects.toMatchObject({ status: 507, number: 220507001 })
    const second = await take(MiB)
    expect([first.sizeBytes, second.sizeBytes]).toEqual([MiB, MiB])
    await expect(take(3 * MiB)).rejects.toMatchObject({ status: 507 })
    await engine.remove(first.blob ?? '')
    expect((await take(MiB)).sizeBytes).toBe(MiB)
  })
})
