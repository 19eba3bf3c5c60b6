import type { Server } from '../../../server/server.ts'
import { HealthCounter } from './health/counter.ts'
import { Installations } from './installations.ts'
import { Shelf } from './shelf.ts'
import { Tallies } from './tallies.ts'
import { Viewers } from './tested/viewers.ts'

/** What a process remembers for devices. */
export interface StoreMemory {
  shelf: Shelf
  tallies: Tallies
  health: HealthCounter
  installations: Installations
  viewers: Viewers
}

/** Which devices reported that they have an app. */
export const gatheredInstallations = 'store.installations'

const memories = new WeakMap<Server, StoreMemory>()

/** The memory of this process; made when the process starts. */
export function memoryOf(server: Server): StoreMemory {
  let memory = memories.get(server)
  if (!memory) {
    memory = {
      shelf: new Shelf(server),
      tallies: new Tallies(server),
      health: new HealthCounter(server),
      installations: new Installations(server),
      viewers: new Viewers(server),
    }
    memories.set(server, memory)
  }
  return memory
}

/** Starts remembering and counting; answers what ends it. */
export function startMemory(server: Server): () => Promise<void> {
  const { shelf, tallies, health, installations, viewers } = memoryOf(server)
  shelf.listen()
  const flushed = [tallies, health, installations, viewers]
  for (const { flush } of flushed) flush.start()
  server.gathered.add(gatheredInstallations, () => installations.flush.now())
  return async () => {
    shelf.close()
    await Promise.all(flushed.map(({ flush }) => flush.stop()))
  }
}
