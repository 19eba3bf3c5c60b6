import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../../server/context.ts'
import type { BucketFacts } from '../buckets/facts.ts'

/** A request to a file: its bucket, the caller's rows there, its path. */
export interface AtFile {
  ctx: Context
  bucket: BucketFacts
  path: string
  request: FastifyRequest
}
