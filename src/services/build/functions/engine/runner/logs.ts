import { AsyncLocalStorage } from 'node:async_hooks'
import { format } from 'node:util'
import { type LogLevel, logLevels, type Report } from '../frames.ts'

export type Log = Record<LogLevel, (...parts: unknown[]) => void>

/** Which call a line belongs to, however deep in its promises it is written. */
export const calls = new AsyncLocalStorage<string>()
const mostCharacters = 10_000

let tell: (report: Report) => void = () => undefined

function write(id: string | null, level: LogLevel, parts: readonly unknown[]): void {
  const text = format(...parts)
  const line = text.length > mostCharacters ? `${text.slice(0, mostCharacters)} ...` : text
  tell({ type: 'logged', id, level, line })
}

export function logOf(id: string | null): Log {
  return Object.fromEntries(
    logLevels.map(level => [level, (...parts: unknown[]) => write(id, level, parts)]),
  ) as unknown as Log
}

/** Takes what the code writes to the console and to its streams; each line knows its call. */
export function catchLogs(say: (report: Report) => void): void {
  tell = say
  const at =
    (level: LogLevel) =>
    (...parts: unknown[]) =>
      write(calls.getStore() ?? null, level, parts)
  Object.assign(console, {
    ...{ log: at('info'), info: at('info'), debug: at('debug'), trace: at('debug') },
    ...{ warn: at('warn'), error: at('error'), dir: at('info') },
  })
  for (const [stream, level] of [
    [process.stdout, 'info'],
    [process.stderr, 'error'],
  ] as const) {
    stream.write = ((chunk: string | Uint8Array) => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      write(calls.getStore() ?? null, level, [text.replace(/\n$/, '')])
      return true
    }) as typeof stream.write
  }
  Object.assign(globalThis, { logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } })
}
