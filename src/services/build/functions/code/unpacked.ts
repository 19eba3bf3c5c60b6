import { mkdtemp, rename, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { ZoneId } from '../../../../kernel/zones.ts'
import type { Server } from '../../../../server/server.ts'
import { removeLeftovers } from '../engine/sandbox.ts'
import { unpack } from './packages.ts'

const prefix = 'loggia-code-'

/** Packages unpacked on this machine, each once: what instances are started from. */
export class UnpackedCode {
  readonly #server: Server
  #folder: Promise<string> | undefined
  readonly #known = new Map<string, Promise<string>>()

  constructor(server: Server) {
    this.#server = server
  }

  /** The folder of a package. Throws `BadPackage`. */
  folderOf(zone: ZoneId, sha256: string): Promise<string> {
    const key = `${zone}-${sha256}`
    let folder = this.#known.get(key)
    if (!folder) {
      folder = this.#unpack(zone, sha256, key)
      this.#known.set(key, folder)
      folder.catch(() => this.#known.delete(key))
    }
    return folder
  }

  async close(): Promise<void> {
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true })
  }

  async #unpack(zone: ZoneId, sha256: string, key: string): Promise<string> {
    this.#folder ??= makeFolder()
    const target = path.join(await this.#folder, key)
    if (await stat(target).catch(() => null)) return target
    const local = await this.#server.bytes(zone, 'functions').localFile(sha256)
    const half = `${target}-half`
    try {
      await unpack(local.path, half)
      await rename(half, target)
      return target
    } catch (error) {
      await rm(half, { recursive: true, force: true })
      throw error
    } finally {
      await local.release()
    }
  }
}

async function makeFolder(): Promise<string> {
  await removeLeftovers(prefix)
  return mkdtemp(path.join(os.tmpdir(), `${prefix}${process.pid}-`))
}
