import { buffer } from 'node:stream/consumers'
import type { Context } from '../../../../server/context.ts'
import { OutsideError } from '../../../../server/outside/outside-error.ts'
import type { ClaimRecord } from './queries.ts'
import { claimLimits, domainProof } from './rules.ts'

const answerLimitBytes = 8_192

/** Whether the owner of the domain shows the challenge, in a TXT record or in a file of the domain itself: nobody else is asked. */
export async function judgeDomain(ctx: Context, row: ClaimRecord, signal: AbortSignal) {
  const { recordName, recordValue, fileUrl } = domainProof(row.domain ?? '', row.challenge)
  const { outbound } = ctx.server
  const isRecorded = (await outbound.textsOf(recordName)).includes(recordValue)
  const isShown = isRecorded || (await linesOf(ctx, fileUrl, signal)).includes(row.challenge)
  return { signers: [], reason: isShown ? null : 'DOMAIN' }
}

async function linesOf({ server }: Context, url: string, signal: AbortSignal): Promise<string[]> {
  const limits = { limitBytes: answerLimitBytes, timeoutMs: claimLimits.domainMs, follows: false, signal }
  try {
    const { status, body } = await server.outbound.fetch(url, limits)
    const text = (await buffer(body)).toString('utf8')
    return status === 200 ? text.split('\n').map(line => line.trim()) : []
  } catch (error) {
    if (error instanceof OutsideError) return []
    throw error
  }
}
