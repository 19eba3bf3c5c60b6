export const limits = {
  codeMs: 10 * 60_000,
  everyMs: 60_000,
  tries: 5,
  /** Addresses of one team that wait or are proven. */
  contacts: 50,
} as const
