import { type Logger, pino, stdTimeFunctions } from 'pino'

export type Log = Logger

/** Structured logs on standard output. Credentials are cut out wherever they may stand. */
export function createLog(level: string): Log {
  return pino({
    // Logs tell the time of the machine, also where tests turn the clock.
    level,
    base: undefined,
    timestamp: stdTimeFunctions.epochTime,
    redact: {
      paths: [
        'password',
        '*.password',
        '*.newPassword',
        '*.token',
        '*.secret',
        'req.headers.cookie',
        'req.headers.authorization',
        'req.headers["x-hd-csrf"]',
        'req.headers["x-hd-team-csrf"]',
        'res.headers["set-cookie"]',
      ],
      censor: '[redacted]',
    },
  })
}
