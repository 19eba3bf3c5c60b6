import { limits } from '../rules.ts'

/** Thrown where a project runs as many calls as it may, and as many wait. */
export class ProjectFull extends Error {}

interface Line {
  running: number
  waiting: { enter(): void; timer: NodeJS.Timeout }[]
}

/** So many calls of a project run at once on this process; more wait for their turn. */
export class ProjectGate {
  readonly #lines = new Map<string, Line>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  /** What ends the call: at once where there is room, else when it is its turn. Throws `ProjectFull`. */
  enter(projectId: string): (() => void) | Promise<() => void> {
    const line = this.#lines.get(projectId) ?? { running: 0, waiting: [] }
    this.#lines.set(projectId, line)
    const leave = () => this.#leave(projectId, line)
    if (line.running >= this.#most) return this.#wait(line).then(() => leave)
    line.running++
    return leave
  }

  #wait(line: Line): Promise<void> {
    if (line.waiting.length >= limits.queued) return Promise.reject(new ProjectFull())
    return new Promise((resolve, reject) => {
      const one = {
        enter: resolve,
        timer: setTimeout(() => {
          line.waiting.splice(line.waiting.indexOf(one), 1)
          reject(new ProjectFull())
        }, limits.queuedForMs),
      }
      line.waiting.push(one)
    })
  }

  /** The next one takes the place over, so the number that runs stays. */
  #leave(projectId: string, line: Line): void {
    const next = line.waiting.shift()
    if (next) {
      clearTimeout(next.timer)
      next.enter()
      return
    }
    line.running--
    if (line.running === 0) this.#lines.delete(projectId)
  }
}
