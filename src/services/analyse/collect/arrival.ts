import type { Readable } from 'node:stream'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Static } from '../../../kernel/shape.ts'
import { readJson } from '../../../server/http/json-body.ts'
import { badField } from '../../../server/http/problem.ts'
import { compileValidator } from '../../../server/http/schemas.ts'
import { collect } from './contract.ts'
import { limits } from './rules.ts'

export type Batch = Static<typeof collect.calls.reportEvents.body>
export type ReportedEvent = Batch['events'][number]

const validate = compileValidator({ schema: collect.calls.reportEvents.body })

/** The batch of a body of whatever type, for a beacon says text/plain. Refuses 413 beyond half a mebibyte. */
export async function readBatch(stream: Readable): Promise<Batch> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes > limits.batchBytes) refuse(commonErrors.tooLarge, { limitBytes: limits.batchBytes })
    chunks.push(chunk)
  }
  return parseBatch(Buffer.concat(chunks).toString('utf8'))
}

/** The batch that a text says; 400 with pointers where it is none. */
export function parseBatch(text: string): Batch {
  const found = validate(jsonOf(text))
  if (found.error) throw found.error
  const batch = found.value as Batch
  batch.events.forEach((event, at) => {
    if (Buffer.byteLength(JSON.stringify(event)) <= limits.eventBytes) return
    throw badField(`/events/${at}`, 'size', `is larger than ${limits.eventBytes} bytes`)
  })
  return batch
}

function jsonOf(text: string): unknown {
  try {
    return readJson(text) ?? {}
  } catch (error) {
    throw error instanceof SyntaxError ? badField('', 'json', 'is not JSON') : error
  }
}
