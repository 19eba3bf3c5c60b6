import { encodeFrame, type Report, weightOfLine } from '../../frames.ts'

/** Of lines that the server has not taken yet. What is more is left out, since it would fill the memory of the project. */
const mostWaiting = 1024 * 1024
/** workerd and the server take no larger message; a frame may come in several. */
const mostMessageBytes = 512 * 1024

/** What a copy says, as frames; what is said in one turn goes out as one. */
export class Telling {
  #send: ((bytes: Uint8Array) => void) | undefined
  #turn = ''
  #waiting = 0
  #leftOut = 0

  open(send: (bytes: Uint8Array) => void): void {
    this.#send = send
  }

  /** The server has taken so much of the lines. */
  taken(weight: number): void {
    this.#waiting -= weight
  }

  say(report: Report): void {
    if (report.type === 'logged' && this.#waiting > mostWaiting) {
      this.#leftOut++
      return
    }
    if (this.#leftOut > 0) {
      const line = `${this.#leftOut} lines were left out: they came faster than they can be kept`
      this.#leftOut = 0
      this.#put({ type: 'logged', id: 'id' in report ? report.id : null, level: 'warn', line })
    }
    this.#put(report)
  }

  #put(report: Report): void {
    if (report.type === 'logged') this.#waiting += weightOfLine(report.line)
    if (this.#turn === '') queueMicrotask(() => this.#flush())
    this.#turn += encodeFrame(report)
  }

  #flush(): void {
    const bytes = Buffer.from(this.#turn, 'latin1')
    this.#turn = ''
    for (let at = 0; at < bytes.length; at += mostMessageBytes) this.#send?.(bytes.subarray(at, at + mostMessageBytes))
  }
}
