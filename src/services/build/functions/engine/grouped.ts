import { withinGroups } from './kernel-groups.ts'
import type { Launched, Launcher } from './launcher/launcher.ts'
import { boundMemory, type MemoryBound } from './memory-bound.ts'
import { type ProcessorShare, shareProcessors } from './processor-share.ts'
import type { Launch } from './sandbox.ts'
import type { SpareTurn } from './spare-turn.ts'

/** A process that was begun in groups of its own, where this user may make some. */
export interface Grouped {
  launched: Launched
  bound: MemoryBound | null
  share: ProcessorShare | null
  /** Takes away its groups, once it has ended. */
  clear(): Promise<void>
}

/** Where nobody waits for it yet, it begins in its `turn`. Throws where it did not begin, and leaves nothing. */
export async function beginGrouped(
  launcher: Launcher,
  { id, memoryMb, turn }: { id: string; memoryMb: number; turn?: SpareTurn | undefined },
  { command, args, env }: Pick<Launch, 'command' | 'args' | 'env'>,
): Promise<Grouped> {
  const bound = await boundMemory(id, memoryMb)
  const share = await shareProcessors(id, bound)
  turn?.begins(share)
  const clear = async () => {
    await bound?.remove()
    await share?.remove()
  }
  const launched = await launcher
    .begin({ ...withinGroups([bound, share], [command, ...args]), env })
    .catch(async error => {
      await clear()
      throw error
    })
  turn?.begun(launched.pid)
  return { launched, bound, share, clear }
}
