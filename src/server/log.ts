import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

export type Log = Logger

/** Names under which credentials travel; their values are cut out down to three levels. */
const secretNames = ['password', 'newPassword', 'token', 'secret', 'csrfToken', 'cookie', 'authorization'] as const
const secretHeaders = ['x-hd-csrf', 'x-hd-team-csrf', 'set-cookie'] as const
const levels = ['', '*.', '*.*.']

/** Structured logs on standard output, or where `destination` says. Credentials are cut out wherever they may stand. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    // Logs tell the time of the machine, also where tests turn the clock.
    level,
    base: undefined,
    timestamp: stdTimeFunctions.epochTime,
    serializers: { err: errorForLog },
    redact: {
      paths: levels.flatMap(depth => [
        ...secretNames.map(name => depth + name),
        ...secretHeaders.map(name => `${depth.slice(0, -1)}["${name}"]`),
      ]),
      censor: '[redacted]',
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

/**
 * An error without the values it failed on: Drizzle puts a query's parameters into its message, PostgreSQL those of a
 * broken rule into `detail`, and both may be somebody's secret.
 */
function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, constraint, table, column } = error as Error & Record<string, unknown>
  return {
    type: error.constructor.name,
    message: withoutParameters(error.message),
    stack: withoutParameters(error.stack ?? ''),
    ...Object.fromEntries(
      Object.entries({ code, constraint, table, column }).filter(([, value]) => value !== undefined),
    ),
    ...(error.cause === undefined ? {} : { cause: errorForLog(error.cause) }),
  }
}

/** Why something failed, for a line of the log: without the values of a query. */
export function reasonOf(error: unknown): string {
  return withoutParameters(error instanceof Error ? error.message : String(error))
}

/**
 * Why something failed, for people: what we said ourselves. What the system or the database says of an error may name
 * paths, statements and values, so of that only the log tells.
 */
export function reasonForPeople(error: unknown): string {
  const isOurs = error instanceof Error && !('code' in error) && error.cause === undefined
  return isOurs ? error.message.slice(0, 500) : 'something inside failed; the log tells more under this id'
}

/** From the line `params: ...` to the first frame of the stack. */
function withoutParameters(text: string): string {
  return text.replace(/\nparams: [\s\S]*?(?=\n {4}at |$)/, '')
}
