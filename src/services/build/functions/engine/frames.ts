/**
 * Messages between a process of a function and the server: four bytes with the number of bytes that follow these eight, four
 * with the length of the head among them as a string, the head, and the text that goes along: the event of a call, or what
 * was answered. The head is JSON; of a call about which no more is to be said it is `call ID TIMEOUT_MS MARK`, and of an
 * answer in JSON `answered ID`, as those go thousands of times a second. Both ends read them with this file; what comes from
 * a function's process is its own word and no more.
 */

/** What the server says. */
export type Order =
  | {
      type: 'load'
      folder: string
      handler: string
      initialiser: string | null
      isObject: boolean
      about: About
      /** Where Node finds what was compiled before. */
      compiled?: string
    }
  | ({
      type: 'call'
      id: string
      /** As JSON. */
      event: string
      caller: Caller | null
      timeoutMs: number
      mark?: string
    } & Circumstances)
  | { type: 'abort'; id: string }
  | { type: 'opened'; id: string; path: string }
  | { type: 'closed'; id: string; reason: string }
  | { type: 'taken'; weight: number }
  | { type: 'collect' }

/** What a process says. */
export type Report =
  | { type: 'booted' }
  | { type: 'ready'; initMs: number }
  | { type: 'failed'; error: Fault }
  | { type: 'answered'; id: string; result: Result }
  | { type: 'threw'; id: string; error: Fault }
  | { type: 'logged'; id: string | null; level: LogLevel; line: string }
  | { type: 'collected' }
  | { type: 'open'; id: string; host: string; port: number }

export interface About {
  functionName: string
  version: string
  memoryMb: number
  env: Record<string, string>
}

/** The app's user who calls, if one does. */
export interface Caller {
  uid: string
  claims: Record<string, unknown>
}

/** A call that nobody waits for: the same one again has the same `requestId` and a higher `attempt`. */
export interface Delivery {
  requestId: string
  attempt: number
  /** An attempt before this one may have run. */
  isRepeat: boolean
}

/** What led to a call. */
export interface Circumstances {
  delivery?: Delivery
}

/** Of a JSON value, or of a whole HTTP answer. */
export type Result =
  | { kind: 'json'; text: string }
  | { kind: 'http'; status: number; headers: Record<string, string>; body: string; isBase64: boolean }

export type FaultKind = 'handlerMissing' | 'loadFailed' | 'initialiserFailed' | 'uncaught' | 'notJson' | 'refused'

export interface Fault {
  kind: FaultKind
  name: string
  message: string
  /** Mapped by the source maps of the package. */
  stack: string
  /** What the file exports, where the handler is not among it. */
  exports?: string[]
}

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** Of one call; what is more is left out. */
export const keptOfCall: { lines: number; characters: number } = { lines: 1000, characters: 1_000_000 }

/** What a line counts for where lines may wait to be taken: its characters, and what is around them. */
export const weightOfLine = (line: string): number => line.length + 100

/** One message may be as large as an answer and what JSON adds to it. */
export const mostFrameBytes = 16 * 1024 * 1024

const headBytes = 8

/** A message as bytes in a text, to be written as latin1: texts are put together for less than a Buffer of each takes. */
export function encodeFrame(message: Order | Report): string {
  const text = textOf(message)
  const head = headOf(message, text)
  const whole = head + text
  const isAscii = Buffer.byteLength(whole) === whole.length
  const bytes = isAscii ? whole : Buffer.from(whole).toString('latin1')
  return `${lengthInBytes(bytes.length)}${lengthInBytes(head.length)}${bytes}`
}

const lengthInBytes = (length: number) =>
  String.fromCharCode(length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255)

/** What goes along as it is: it may be large, and JSON within JSON would be escaped and read twice. */
function textOf(message: Order | Report): string {
  if (message.type === 'call') return message.event
  if (message.type !== 'answered') return ''
  return message.result.kind === 'json' ? message.result.text : message.result.body
}

const [shortCall, shortAnswer] = ['call ', 'answered ']

function headOf(message: Order | Report, text: string): string {
  if (message.type === 'answered' && message.result.kind === 'json') return shortAnswer + message.id
  if (message.type === 'call' && message.caller === null && message.delivery === undefined)
    return `${shortCall}${message.id} ${message.timeoutMs} ${message.mark ?? ''}`
  return JSON.stringify(text === '' ? message : withText(message, ''))
}

/** What the server said. */
export function readOrder(head: string, text: string): Order {
  if (!head.startsWith(shortCall)) return withText(JSON.parse(head) as Order, text)
  const [id = '', timeoutMs = '', mark = ''] = head.slice(shortCall.length).split(' ')
  const call: Order = { type: 'call', id, event: text, caller: null, timeoutMs: Number(timeoutMs) }
  if (mark !== '') call.mark = mark
  return call
}

/** Which call an answer in JSON is of; undefined where the head is another one. */
export const answeredBy = (head: string): string | undefined =>
  head.startsWith(shortAnswer) ? head.slice(shortAnswer.length) : undefined

/** A message with that text in its place. */
function withText<Message extends Order | Report>(message: Message, text: string): Message {
  if (message.type === 'call') return { ...message, event: text }
  if (message.type !== 'answered') return message
  const { result } = message
  return { ...message, result: result.kind === 'json' ? { ...result, text } : { ...result, body: text } }
}

/** Cuts a stream of bytes into messages. Throws where a length or a head is wrong: the other end is not to be talked to any more. */
export class FrameReader<Message> {
  /** Of the head of a message and of the text that goes along. */
  readonly #messageOf: (head: string, text: string) => Message
  /** The beginning of a message, in the parts that it came in: one that is large is put together once. */
  #parts: Buffer[] = []
  #held = 0
  #wanted = headBytes

  constructor(messageOf: (head: string, text: string) => Message) {
    this.#messageOf = messageOf
  }

  *read(chunk: Buffer): Generator<Message> {
    this.#parts.push(chunk)
    this.#held += chunk.length
    if (this.#held < this.#wanted) return
    const whole = this.#parts.length > 1 ? Buffer.concat(this.#parts, this.#held) : chunk
    let from = 0
    this.#wanted = headBytes
    while (whole.length - from >= headBytes) {
      const size = whole.readUInt32BE(from)
      if (size > mostFrameBytes) throw new Error(`a message of ${size} bytes`)
      const end = from + headBytes + size
      if (end > whole.length) {
        this.#wanted = headBytes + size
        break
      }
      const said = whole.toString('utf8', from + headBytes, end)
      const headLength = whole.readUInt32BE(from + 4)
      yield this.#messageOf(said.slice(0, headLength), said.slice(headLength))
      from = end
    }
    this.#held = whole.length - from
    this.#parts = this.#held > 0 ? [whole.subarray(from)] : []
  }
}
