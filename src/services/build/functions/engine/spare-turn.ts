import type { ProcessorShare } from './processor-share.ts'
import { greedyNice, takeTurnOfSession } from './processor-turn.ts'
import { isRoot } from './sandbox.ts'

/**
 * The turn of a process that nobody waits for yet: it begins behind everybody, where that can be taken back in time, as it
 * takes a processor as long as hundreds of calls do.
 */
export class SpareTurn {
  #is = isRoot ? { nice: greedyNice, isIdle: true } : { nice: 0, isIdle: false }
  #share: ProcessorShare | null = null
  #pid: number | undefined

  /** @param share that it will begin in */
  begins(share: ProcessorShare | null): void {
    this.#share = share
    this.#take()
  }

  /** @param pid of the outermost process */
  begun(pid: number): void {
    this.#pid = pid
    this.#take()
  }

  /** Somebody waits for it from now on. @param isWary whether it has to come to its end all the same, but no sooner than others */
  hasten(isWary = false): void {
    this.#is = { nice: isWary && isRoot ? greedyNice : 0, isIdle: false }
    this.#take()
  }

  /** It has a `ProcessorTurn` from now on. */
  end(): void {
    this.#share = null
    this.#pid = undefined
  }

  #take(): void {
    this.#share?.set(this.#is.nice, this.#is.isIdle)
    if (this.#pid !== undefined) takeTurnOfSession(this.#pid, this.#is.nice)
  }
}
