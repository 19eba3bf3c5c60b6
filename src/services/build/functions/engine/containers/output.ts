import { PassThrough } from 'node:stream'
import type Docker from 'dockerode'
import type { LogLevel } from '../port.ts'

const most = { line: 11_000, bytesInWindow: 64 * 1024 * 1024, lastLines: 8, lastCharacters: 2_000 }
const windowMs = 10_000

interface Heard {
  line(level: LogLevel, line: string): void
  /** It says more than anybody could read. */
  tooMuch(): void
}

/** What a container writes, cut into lines: plain ones are information, those to its error output are errors. */
export class Output {
  readonly #heard: Heard
  readonly #last: string[] = []
  #windowBytes = 0
  #heardAt = 0
  #windowFrom = performance.now()

  constructor(stream: NodeJS.ReadableStream, docker: Docker, heard: Heard) {
    this.#heard = heard
    const [plain, errors] = [new PassThrough({ encoding: 'utf8' }), new PassThrough({ encoding: 'utf8' })]
    this.#cut(plain, 'info')
    this.#cut(errors, 'error')
    docker.modem.demuxStream(stream, plain, errors)
    stream.once('end', () => [plain, errors].forEach(one => void one.end()))
    stream.once('error', () => [plain, errors].forEach(one => void one.end()))
  }

  /** Milliseconds since something was heard. */
  get silentMs(): number {
    return performance.now() - this.#heardAt
  }

  /** The last that it said, for whoever asks why it ended. */
  get last(): string {
    return this.#last.join('\n').slice(-most.lastCharacters)
  }

  #cut(stream: PassThrough, level: LogLevel): void {
    let open = ''
    stream.on('data', (text: string) => {
      this.#count(text.length)
      const lines = (open + text).split('\n')
      open = lines.pop() ?? ''
      if (open.length > most.line) {
        lines.push(open)
        open = ''
      }
      for (const line of lines) this.#tell(level, line)
    })
    stream.once('end', () => open !== '' && this.#tell(level, open))
  }

  #tell(level: LogLevel, whole: string): void {
    const line = whole.replace(/\r$/, '').slice(0, most.line)
    this.#last.push(line)
    if (this.#last.length > most.lastLines) this.#last.shift()
    this.#heard.line(level, line)
  }

  #count(bytes: number): void {
    const now = performance.now()
    this.#heardAt = now
    if (now - this.#windowFrom > windowMs) {
      this.#windowFrom = now
      this.#windowBytes = 0
    }
    this.#windowBytes += bytes
    if (this.#windowBytes > most.bytesInWindow) this.#heard.tooMuch()
  }
}
