import { type Logger, pino } from 'pino'

export type Log = Logger

/** Structured logs on standard output. Credentials are cut out wherever they may stand. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: undefined,
    timestamp: () => `,"time":${Date.now()}`,
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
