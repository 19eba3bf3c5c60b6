/** What a pipeline reads from the way the command ended. */
export const exitCodes = { done: 0, usage: 2, notReady: 3, rejected: 4, unreachable: 5, timedOut: 6 } as const

export type Ending = Exclude<keyof typeof exitCodes, 'done'>

/** The command ends here, with a sentence and, where there is one, a list of what stands in the way. */
export class Stop extends Error {
  readonly ending: Ending
  readonly list: readonly string[]

  constructor(ending: Ending, message: string, list: readonly string[] = []) {
    super(message)
    this.ending = ending
    this.list = list
  }
}

export const usage = `loggia release FILE [options]

  --url ADDRESS          the server            (LOGGIA_URL)
  --client-id ID         the API client        (LOGGIA_CLIENT_ID)
  --client-secret TEXT   better as a variable  (LOGGIA_CLIENT_SECRET)
  --app ID               the app; else the one of the package name in the APK
  --notes TEXT|FILE      what is new, in the app's default language or that of --lang
  --lang TAG             of the notes, such as en-US
  --remark TEXT|FILE     for the reviewer
  --phased PERCENT       to a share of devices first, such as 5
  --time ISO             on shelf no sooner than, such as 2026-12-01T09:00:00+01:00
  --no-submit            only puts the package into the version
  --wait                 until the store has decided
  --timeout MINUTES      of all waiting (30; with --wait 1440)
  --json                 the result as one line of JSON on standard output

Ends with 0 submitted (with --wait: on shelf, or accepted for its time), 2 wrong usage, 3 refused by what the store checks,
4 rejected by the review, 5 server or sign-in, 6 timed out.
`
