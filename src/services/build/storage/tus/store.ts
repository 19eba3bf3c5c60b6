import type { Readable } from 'node:stream'
import { DataStore, ERRORS, Upload } from '@tus/server'
import type { Context } from '../../../../server/context.ts'
import type { BucketFacts } from '../buckets/facts.ts'
import { limits } from '../rules.ts'
import { appendBytes } from '../uploads/appending.ts'
import { abortUpload } from '../uploads/finishing.ts'
import { attributesOf, type UploadRow } from '../uploads/rows.ts'
import { appendProven, type Promised } from './checksum.ts'

/** An upload of this request: its row, its bucket, and the rows of the bucket's team. */
export interface AtUpload {
  ctx: Context
  bucket: BucketFacts
  upload: UploadRow
}

/** One request's look at the uploads that everything else here keeps. */
export class UploadStore extends DataStore {
  readonly #find: (uploadId: string) => Promise<AtUpload | null>
  readonly #promised: Promised | null

  constructor(find: (uploadId: string) => Promise<AtUpload | null>, promised: Promised | null) {
    super()
    this.#find = find
    this.#promised = promised
    this.extensions = ['creation', 'termination', 'expiration']
  }

  /** The row was made with the id. */
  override async create(upload: Upload): Promise<Upload> {
    return Object.assign(upload, await this.getUpload(upload.id))
  }

  override async getUpload(id: string): Promise<Upload> {
    const { ctx, upload } = await this.#open(id)
    const isOver = upload.state === 'ABORTED' || upload.state === 'EXPIRED' || upload.expiresAt <= ctx.now()
    if (isOver) throw ERRORS.FILE_NO_LONGER_EXISTS
    const { bucketId, path, received, sizeBytes } = upload
    return new Upload({
      id,
      ...(sizeBytes === null ? {} : { size: sizeBytes }),
      offset: received,
      metadata: { bucket: bucketId, path, filetype: attributesOf(upload).contentType },
      creation_date: new Date(upload.expiresAt - limits.uploadLifeMs).toISOString(),
    })
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const { ctx, bucket, upload } = await this.#open(id)
    const append = this.#promised === null ? appendBytes : appendProven(this.#promised)
    return (await append(ctx, bucket, upload, offset, stream)).received
  }

  override async remove(id: string): Promise<void> {
    const { ctx, bucket, upload } = await this.#open(id)
    if (upload.state !== 'OPEN') throw ERRORS.FILE_NOT_FOUND
    await abortUpload(ctx, bucket, upload)
  }

  override getExpiration(): number {
    return limits.uploadLifeMs
  }

  async #open(id: string): Promise<AtUpload> {
    const at = await this.#find(id)
    if (!at) throw ERRORS.FILE_NOT_FOUND
    return at
  }
}
