declare module 'autocannon' {
  interface Options {
    url: string
    method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
    headers?: Record<string, string>
    body?: string | Buffer
    /** Each connection's own requests. */
    setupClient?: (client: { setRequests(list: object[]): void }) => void
    /** The same in turns for every connection. */
    requests?: readonly object[]
    /** Calls a second of all connections together. */
    overallRate?: number
    connections?: number
    /** Seconds. */
    duration?: number
  }
  interface Result {
    '2xx': number
    non2xx: number
    errors: number
    duration: number
    /** Milliseconds. */
    latency: { p99: number }
  }
  function autocannon(options: Options): Promise<Result>
  namespace autocannon {
    export type { Options, Result }
  }
  export = autocannon
}
