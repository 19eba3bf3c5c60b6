import { answeredBy, type Fault, logLevels, type Report, type Result } from './frames.ts'

/** What a process may say at most in one field. */
const most = { id: 64, name: 500, message: 8_000, stack: 16_000, exports: 100, host: 255, headers: 200, line: 11_000 }
const faultKinds = ['handlerMissing', 'loadFailed', 'initialiserFailed', 'uncaught', 'notJson', 'refused'] as const

type Raw = Readonly<Record<string, unknown>>

/**
 * What a function's process said, as one of the reports there are and nothing else of it; null for anything else, and
 * thrown where the head is no JSON. The process runs code that nobody knows, and that code can write to the channel as well
 * as the runner can.
 *
 * @param text what came along with an answer
 */
export function readReport(head: string, text: string): Report | null {
  const answered = answeredBy(head)
  if (answered !== undefined) return readAnswer(answered, text)
  const value: unknown = JSON.parse(head)
  if (!isRecord(value)) return null
  switch (value['type']) {
    case 'booted':
    case 'collected':
      return { type: value['type'] }
    case 'ready':
      return isTime(value['initMs']) ? { type: 'ready', initMs: value['initMs'] } : null
    case 'failed': {
      const error = readFault(value['error'])
      return error && { type: 'failed', error }
    }
    case 'answered': {
      const result = readHttp(value['result'], text)
      return isText(value['id'], most.id) && result ? { type: 'answered', id: value['id'], result } : null
    }
    case 'threw': {
      const error = readFault(value['error'])
      return isText(value['id'], most.id) && error ? { type: 'threw', id: value['id'], error } : null
    }
    case 'logged':
      return readLine(value)
    case 'open': {
      const { id, host, port } = value
      const isPort = Number.isInteger(port) && Number(port) >= 0 && Number(port) <= 65_535
      if (!isText(id, most.id) || !isText(host, most.host)) return null
      // A port that is none is for the door to refuse: the code gets its error and goes on.
      return { type: 'open', id, host, port: isPort ? Number(port) : 0 }
    }
    default:
      return null
  }
}

function readLine({ id, level, line }: Raw): Report | null {
  const known = logLevels.find(one => one === level)
  if (known === undefined || typeof line !== 'string' || !(id === null || isText(id, most.id))) return null
  return { type: 'logged', id, level: known, line: line.slice(0, most.line) }
}

function readFault(value: unknown): Fault | null {
  if (!isRecord(value)) return null
  const { name, message, stack, exports } = value
  const kind = faultKinds.find(one => one === value['kind'])
  if (kind === undefined || typeof name !== 'string' || typeof message !== 'string' || typeof stack !== 'string')
    return null
  const fault = {
    kind,
    name: name.slice(0, most.name),
    message: message.slice(0, most.message),
    stack: stack.slice(0, most.stack),
  }
  if (exports === undefined) return fault
  if (!Array.isArray(exports) || exports.length > most.exports) return null
  return exports.every(one => isText(one, most.name)) ? { ...fault, exports: [...exports] } : null
}

/** No JSON is empty. */
const readAnswer = (id: string, text: string): Report | null =>
  isText(id, most.id) && text !== '' ? { type: 'answered', id, result: { kind: 'json', text } } : null

function readHttp(value: unknown, text: string): Result | null {
  if (!isRecord(value)) return null
  const { kind, status, headers, isBase64 } = value
  // Of what goes along only the place stands here.
  if (kind !== 'http' || value['body'] !== '' || typeof isBase64 !== 'boolean') return null
  if (!isRecord(headers)) return null
  const named = Object.entries(headers)
  if (named.length > most.headers || !named.every(([, one]) => typeof one === 'string')) return null
  // The handler's own word for a status may be none.
  const known = Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 599 ? Number(status) : 500
  return { kind, status: known, headers: Object.fromEntries(named) as Record<string, string>, body: text, isBase64 }
}

const isRecord = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value.length <= longest

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value < 86_400_000
