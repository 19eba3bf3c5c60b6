import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, rename } from 'node:fs/promises'
import path from 'node:path'
import S3rver from 's3rver'
import { vi } from 'vitest'

/** An S3 in this process with one bucket, `bytes`, its objects below `directory`. */
export async function startS3(directory: string): Promise<{ endpoint: string; close(): Promise<void> }> {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER')
  const configureBuckets = [{ name: 'bytes' }]
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets })
  copyAtOnce(server.store)
  const { port } = await server.run()
  const close = async () => {
    await server.close()
    vi.unstubAllEnvs()
  }
  return { endpoint: `http://127.0.0.1:${port}`, close }
}

/** An S3 shows an object whole or not at all, also while another takes its place; here a copy first took the old one away. */
function copyAtOnce(store: S3rver['store']): void {
  store.copyObject = async (bucket, key, toBucket, toKey) => {
    for (const resource of ['metadata.json', 'object.md5', 'object']) {
      const target = store.getResourcePath(toBucket, toKey, resource)
      const fresh = `${target}-${randomUUID()}`
      await mkdir(path.dirname(target), { recursive: true })
      await copyFile(store.getResourcePath(bucket, key, resource), fresh)
      await rename(fresh, target)
    }
    return store.getMetadata(toBucket, toKey)
  }
}
