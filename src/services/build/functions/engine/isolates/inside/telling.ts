import type { Report } from '../../frames.ts'

/** Of lines that the server has not taken yet; more of them are left out, since they would fill the memory of the project. */
const mostWaiting = 1024 * 1024

/** What is said of one call, a line of JSON each: in one piece where nothing was said before the answer, else as it comes. */
export class Telling {
  #waiting: string[] = []
  #bytes = 0
  #isOver = false
  #leftOut = 0
  #wake: () => void = () => undefined

  say(report: Report): void {
    if (this.#isOver) return
    const text = JSON.stringify(report)
    if (this.#bytes + text.length > mostWaiting) {
      this.#leftOut++
      return
    }
    this.#put(text)
  }

  end(report: Report): void {
    if (this.#isOver) return
    if (this.#leftOut > 0) {
      const line = `${this.#leftOut} lines were left out: they came faster than they can be kept`
      const id = 'id' in report ? report.id : null
      this.#put(JSON.stringify({ type: 'logged', id, level: 'warn', line }))
    }
    this.#put(JSON.stringify(report))
    this.#isOver = true
    this.#wake()
  }

  async response(): Promise<Response> {
    await this.#said()
    // What is said in one turn goes out as one, and most calls end in the turn in which they say anything.
    await Promise.resolve()
    if (this.#isOver) return new Response(this.#take())
    const encoder = new TextEncoder()
    const pull = async (to: ReadableStreamDefaultController<Uint8Array>) => {
      await this.#said()
      to.enqueue(encoder.encode(this.#take()))
      if (this.#isOver) to.close()
    }
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }))
  }

  #put(text: string): void {
    this.#waiting.push(text)
    this.#bytes += text.length
    this.#wake()
  }

  async #said(): Promise<void> {
    if (this.#waiting.length > 0 || this.#isOver) return
    await new Promise<void>(resolve => {
      this.#wake = resolve
    })
  }

  #take(): string {
    const text = `${this.#waiting.join('\n')}\n`
    this.#waiting = []
    this.#bytes = 0
    return text
  }
}
