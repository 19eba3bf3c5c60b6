import { greedyNice, takeTurnOfSession } from './processor-turn.ts'
import { isRoot } from './sandbox.ts'

/**
 * The turn of a process that nobody waits for yet: it begins behind everybody, where that can be taken back in time, as it
 * takes a processor as long as hundreds of calls do.
 */
export class SpareTurn {
  #nice = isRoot ? greedyNice : 0
  #pid: number | undefined

  /** @param pid of the outermost process */
  begun(pid: number): void {
    this.#pid = pid
    this.#take()
  }

  /** Somebody waits for it from now on. */
  hasten(): void {
    this.#nice = 0
    this.#take()
  }

  /** It has a `ProcessorTurn` from now on. */
  end(): void {
    this.#pid = undefined
  }

  #take(): void {
    if (this.#pid !== undefined) takeTurnOfSession(this.#pid, this.#nice)
  }
}
