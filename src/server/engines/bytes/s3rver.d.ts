declare module 's3rver' {
  /** What the tests of the bytes engine start; the package brings no types. */
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      configureBuckets: { name: string }[]
    })
    readonly store: {
      getResourcePath(bucket: string, key: string, resource: string): string
      getMetadata(bucket: string, key: string): Promise<object>
      copyObject(bucket: string, key: string, toBucket: string, toKey: string): Promise<object>
    }
    run(): Promise<{ address: string; port: number }>
    close(): Promise<void>
  }
}
