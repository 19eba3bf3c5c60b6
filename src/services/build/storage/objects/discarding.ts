import { Refusal } from '../../../../kernel/errors.ts'
import type { Server } from '../../../../server/server.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { type Content, engineOf } from './content.ts'

/** Removes bytes whose row was refused. Where a commit may have happened after all, and where a process was killed, the sweep decides. */
export async function discardContent<T>(
  server: Server,
  bucket: Pick<BucketFacts, 'zone'>,
  content: Content,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (content.blob !== null && error instanceof Refusal)
      await engineOf(server, bucket)
        .remove(content.blob)
        .catch(() => undefined)
    throw error
  }
}
