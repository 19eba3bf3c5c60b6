import type { Server } from '../../../server/server.ts'
import { Shelf } from './shelf.ts'
import { Tallies } from './tallies.ts'

/** What a process remembers for devices. */
export interface StoreMemory {
  shelf: Shelf
  tallies: Tallies
}

const memories = new WeakMap<Server, StoreMemory>()

/** The memory of this process; made when the process starts. */
export function memoryOf(server: Server): StoreMemory {
  let memory = memories.get(server)
  if (!memory) {
    memory = { shelf: new Shelf(server), tallies: new Tallies(server) }
    memories.set(server, memory)
  }
  return memory
}

/** Starts remembering and counting; answers what ends it. */
export function startMemory(server: Server): () => Promise<void> {
  const { shelf, tallies } = memoryOf(server)
  shelf.listen()
  tallies.start()
  return async () => {
    shelf.close()
    await tallies.stop()
  }
}
