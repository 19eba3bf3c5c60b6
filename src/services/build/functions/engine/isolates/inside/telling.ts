import { encodeFrame, type Report } from '../../frames.ts'

/** What the server has not taken yet. Lines beyond it are left out, since they would fill the memory of the project. */
const mostWaiting = 1024 * 1024

/** What a copy says, as frames in one stream; what is said in one turn goes out as one. */
export class Telling {
  readonly stream: ReadableStream<Uint8Array>
  #to: ReadableStreamDefaultController<Uint8Array> | undefined
  #turn: Uint8Array[] = []
  #bytes = 0
  #leftOut = 0

  constructor() {
    const size = (chunk?: Uint8Array) => chunk?.byteLength ?? 0
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: to => {
          this.#to = to
        },
      },
      { highWaterMark: mostWaiting, size },
    )
  }

  say(report: Report): void {
    const room = (this.#to?.desiredSize ?? 0) - this.#bytes
    if (report.type === 'logged' && room <= 0) {
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
    const frame = encodeFrame(report)
    if (this.#turn.push(frame) === 1) queueMicrotask(() => this.#flush())
    this.#bytes += frame.byteLength
  }

  #flush(): void {
    const turn = this.#turn
    this.#turn = []
    this.#bytes = 0
    this.#to?.enqueue(turn.length === 1 ? (turn[0] as Uint8Array) : Buffer.concat(turn))
  }
}
