import { closeSync, fsync, openSync } from 'node:fs'
import { promisify } from 'node:util'

const synced = promisify(fsync)

interface Syncing {
  running: Promise<void>
  /** For all who came while it ran: what they changed may be too late for it. */
  next: Promise<void> | undefined
}

/** Brings names in folders to the disk: those who ask while a folder is being written wait for one writing after it. */
export class SyncedFolders {
  readonly #syncing = new Map<string, Syncing>()

  /** Resolves when everything that was named in the folder before the call is on the disk. */
  sync(folder: string): Promise<void> {
    const found = this.#syncing.get(folder)
    if (!found) return this.#begin(folder)
    found.next ??= found.running.then(
      () => this.#begin(folder),
      () => this.#begin(folder),
    )
    return found.next
  }

  #begin(folder: string): Promise<void> {
    const syncing: Syncing = { running: syncFolder(folder), next: undefined }
    this.#syncing.set(folder, syncing)
    const ended = () => {
      if (this.#syncing.get(folder) === syncing && !syncing.next) this.#syncing.delete(folder)
    }
    syncing.running.then(ended, ended)
    return syncing.running
  }
}

/** Opened and closed at once, as the name that was just put into it is in memory: each trip to the thread pool costs more. */
async function syncFolder(folder: string): Promise<void> {
  const descriptor = openSync(folder, 'r')
  try {
    await synced(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
