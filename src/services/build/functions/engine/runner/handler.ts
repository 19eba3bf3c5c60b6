import type { Caller, Fault, Order, Result } from '../frames.ts'
import { currentCall } from './current-call.ts'
import { type Log, logOf } from './logs.ts'

type Handler = (event: unknown, context: object, callback: (answer: unknown) => void, logger: Log) => unknown
export type Module = Record<string, unknown>
/** The module that holds what a handler or an initialiser names. */
export type ModuleOf = (wanted: string) => Promise<Module>
export type LoadOrder = Pick<Order & { type: 'load' }, 'handler' | 'isObject' | 'initialiser' | 'about'>

export interface Loaded {
  handle: Handler | null
  /** A standard `fetch` handler, where the export is an object that has one. */
  fetch: ((request: Request, env: object, context: object) => Response | Promise<Response>) | null
  /** A cloud object: its methods are called by name. */
  object: Record<string, unknown> | null
  initialise: ((logger: Log) => unknown) | undefined
  about: (Order & { type: 'load' })['about']
}

/** The answer of a function to an HTTP call, in its own words. */
class HTTPResponse {
  body: unknown
  headers: Record<string, string>
  contentType: string
  status: number

  constructor(
    body: unknown,
    headers: Record<string, string> = {},
    contentType = 'application/json',
    status: unknown = 200,
  ) {
    this.body = body
    this.headers = headers
    this.contentType = contentType
    this.status = Number(status)
  }
}

/** That the time of a call is over. The signal is made for whoever asks for it: most never do, and it costs more than a call. */
export class CallEnd {
  #abort: AbortController | undefined
  #hasCome = false

  get signal(): AbortSignal {
    this.#abort ??= new AbortController()
    if (this.#hasCome) this.come()
    return this.#abort.signal
  }

  come(): void {
    this.#hasCome = true
    this.#abort?.abort(new Error('the time of the call is over'))
  }
}

/** What CommonJS exports as a whole is its `default`, unless it names one. Its other names stay where they are: one may be a getter that loads more. */
export function asModule(exported: unknown): Module {
  const named = Object(exported) as Module
  return 'default' in named ? named : (Object.create(named, { default: { value: exported } }) as Module)
}

/** `index.handler`, `src/main.default`: a file of the package without its ending, and what it exports. */
export async function loadHandler(order: LoadOrder, moduleOf: ModuleOf): Promise<Loaded | Fault> {
  const { handler, isObject, initialiser, about } = order
  const module = await moduleOf(handler)
  const found = module[nameOf(handler)]
  const asObject = Object(found) as { fetch?: unknown }
  const isFetch = typeof found === 'object' && typeof asObject.fetch === 'function'
  if (typeof found !== 'function' && !isFetch) return missing(handler, module)
  const first = initialiser === null ? undefined : await initialiserOf(initialiser, moduleOf)
  if (first && 'kind' in first) return first
  return {
    handle: isFetch || isObject ? null : (found as Handler),
    fetch: isFetch ? ((asObject.fetch as Loaded['fetch'])!.bind(found) as Loaded['fetch']) : null,
    object: isObject ? (new (found as new () => Record<string, unknown>)() as Record<string, unknown>) : null,
    initialise: first?.run,
    about,
  }
}

async function initialiserOf(wanted: string, moduleOf: ModuleOf): Promise<{ run: (logger: Log) => unknown } | Fault> {
  const module = await moduleOf(wanted)
  const found = module[nameOf(wanted)]
  if (typeof found !== 'function') return missing(wanted, module)
  return { run: logger => (found as Handler)({}, {}, () => undefined, logger) }
}

const nameOf = (wanted: string) => wanted.slice(wanted.lastIndexOf('.') + 1)

function missing(wanted: string, module: Module): Fault {
  const exports: string[] = []
  for (const name in module) if (exports.length < 50) exports.push(name)
  const message = `${wanted} is not exported; the file exports ${exports.join(', ') || 'nothing'}`
  return { kind: 'handlerMissing', name: 'Error', message, stack: '', exports }
}

export function callHandler(loaded: Loaded, order: Order & { type: 'call' }, end: CallEnd): Promise<Result> {
  const { id, mark } = order
  return currentCall.run({ id, mark }, () => answerTo(loaded, order, end))
}

async function answerTo(loaded: Loaded, order: Order & { type: 'call' }, end: CallEnd): Promise<Result> {
  const context = contextOf(loaded, order, end)
  const event: unknown = JSON.parse(order.event)
  if (loaded.fetch) return ofResponse(await loaded.fetch(requestOf(event, end.signal), loaded.about.env, context))
  const answer = loaded.object
    ? await callMethod(loaded.object, event)
    : await answerOf(loaded.handle as Handler, event, context, logOf(order.id))
  return resultOf(answer)
}

/** Both styles: what is given to the callback first, or what the returned promise becomes. */
function answerOf(handle: Handler, event: unknown, context: object, log: Log): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const returned = handle(event, context, resolve, log)
    const isPromise = typeof (returned as Promise<unknown> | undefined)?.then === 'function'
    const hasCallback = handle.length >= 3
    if (isPromise)
      (returned as Promise<unknown>).then(value => (hasCallback && value === undefined) || resolve(value), reject)
    else if (returned !== undefined && !hasCallback) resolve(returned)
  })
}

async function callMethod(object: Record<string, unknown>, event: unknown): Promise<unknown> {
  const { method, params } = Object(event) as { method?: unknown; params?: unknown }
  const prototype = Object.getPrototypeOf(object) as object
  const isOwn = typeof method === 'string' && method !== 'constructor' && Object.hasOwn(prototype, method)
  if (!isOwn || typeof object[method] !== 'function') throw new Error(`the object has no method ${String(method)}`)
  return (object[method] as (...given: unknown[]) => unknown)(...(Array.isArray(params) ? params : [params]))
}

function contextOf({ about }: Loaded, order: Order & { type: 'call' }, end: CallEnd): object {
  const endsAt = performance.now() + order.timeoutMs
  const caller: Caller | null = order.caller
  return {
    env: { ...about.env },
    requestId: order.id,
    functionName: about.functionName,
    functionVersion: about.version,
    memoryLimitMb: about.memoryMb,
    getRemainingTimeMs: () => Math.max(0, endsAt - performance.now()),
    auth: caller,
    delivery: order.delivery ?? null,
    get signal() {
      return end.signal
    },
    HTTPResponse,
  }
}

function requestOf(event: unknown, signal: AbortSignal): Request {
  const {
    path: place = '/',
    httpMethod = 'POST',
    headers = {},
    queryStringParameters = {},
    body,
    isBase64Encoded,
  } = Object(event)
  const url = new URL(place, 'http://function.invalid')
  for (const [name, value] of Object.entries(queryStringParameters)) url.searchParams.set(name, String(value))
  const content = body === undefined ? JSON.stringify(event) : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  const hasBody = httpMethod !== 'GET' && httpMethod !== 'HEAD'
  return new Request(url, { method: httpMethod, headers, signal, ...(hasBody ? { body: content } : {}) })
}

async function ofResponse(response: Response): Promise<Result> {
  if (!(response instanceof Response)) throw new TypeError('fetch answered no Response')
  const bytes = Buffer.from(await response.arrayBuffer())
  const headers = Object.fromEntries(response.headers)
  const isText = /^text\/|json|xml|javascript|x-www-form-urlencoded/.test(headers['content-type'] ?? 'text/')
  const body = bytes.toString(isText ? 'utf8' : 'base64')
  return { kind: 'http', status: response.status, headers, body, isBase64: !isText }
}

function resultOf(answer: unknown): Result {
  if (answer instanceof Error) throw answer
  if (answer instanceof HTTPResponse) {
    const { body, headers, contentType, status } = answer
    const isBytes = body instanceof Uint8Array
    const text = typeof body === 'string' ? body : isBytes ? Buffer.from(body).toString('base64') : textOf(body)
    const named = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    )
    return { kind: 'http', status, headers: { 'content-type': contentType, ...named }, body: text, isBase64: isBytes }
  }
  return { kind: 'json', text: textOf(answer) }
}

function textOf(answer: unknown): string {
  try {
    return JSON.stringify(answer) ?? 'null'
  } catch (error) {
    const fault: Fault = {
      kind: 'notJson',
      name: 'TypeError',
      message: (error as Error).message.slice(0, 500),
      stack: '',
    }
    throw fault
  }
}
