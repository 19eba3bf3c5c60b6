import { eq } from 'drizzle-orm'
import { Refusal } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { Event } from '../../../../server/work.ts'
import { notify } from '../../../ground/notices/public.ts'
import { storageErrors } from '../../storage/contract.ts'
import { writeFile } from '../../storage/public.ts'
import { functions } from '../tables.ts'
import { alarmEveryMs, type DestinationKind, readPlace, type ToldOutcome } from './rules.ts'

/** A call has ended, and a file or people are to tell of it. */
export const callEnded = 'functions.call_ended'

interface CallEnded {
  projectId: string
  functionId: string
  qualifier: string
  kind: DestinationKind
  target: string
  errorType: string | null
  /** Of a file: what a function would be called with, as JSON in a text, since PostgreSQL keeps no null byte in JSON. */
  content?: string
  hops: number
}

/** Writes the file, or tells the people; the call says what became of it. */
export async function tellOfEnd(ctx: Context, { entityId: requestId, teamId, at, data }: Event): Promise<void> {
  const ended = data as unknown as CallEnded
  if (teamId === null) return
  const outcome =
    ended.kind === 'STORAGE' ? await fileOutcome(ctx, requestId, ended) : await alarmOutcome(ctx, teamId, at, ended)
  await ctx.transaction(ctx.zone).query({
    name: 'functions told',
    text: 'UPDATE fn_async SET told = $2 WHERE request_id = $1',
    values: [requestId, JSON.stringify({ outcome, target: ended.target })],
  })
}

async function fileOutcome(
  ctx: Context,
  requestId: string,
  { projectId, target, content: text, hops }: CallEnded,
): Promise<ToldOutcome> {
  const { bucketId, path } = readPlace(target, requestId)
  const content = Buffer.from(`${text}\n`)
  try {
    await writeFile(ctx, { projectId, bucketId, path, content, contentType: 'application/json', hops })
    return 'WRITTEN'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.number === storageErrors.noBucket[0] ? 'MISSING' : 'REFUSED'
  }
}

/** Once in a while for each version or alias: a function that fails all the time fills nobody's inbox. */
async function alarmOutcome(
  ctx: Context,
  teamId: string,
  at: number,
  { projectId, functionId, qualifier, target, errorType }: CallEnded,
): Promise<ToldOutcome> {
  const [row] = await ctx.db
    .select({ name: functions.functionName })
    .from(functions)
    .where(eq(functions.functionId, functionId))
  if (!row) return 'MISSING'
  const what = `${row.name}:${qualifier}`
  const why = errorType ?? '–'
  await notify(ctx, {
    to: { teamId, permission: target, about: { projectId } },
    there: { zone: ctx.zone, cause: `functions.failed ${functionId} ${qualifier} ${Math.floor(at / alarmEveryMs)}` },
    category: 'operations',
    kind: 'functions.callFailed',
    title: {
      zh: `函数 ${what} 的异步调用失败`,
      en: `An asynchronous call of ${what} has failed`,
      ru: `Асинхронный вызов ${what} не удался`,
    },
    text: {
      zh: `原因：${why}。重试次数已用完。同一版本或别名十分钟内只通知一次，其余失败的调用请在“异步调用”中查看。`,
      en: `The reason: ${why}. No try is left. You are told once in ten minutes; what else failed is listed under Asynchronous calls.`,
      ru: `Причина: ${why}. Попыток больше нет. Об этом сообщается раз в десять минут; остальные неудачи видны в разделе «Асинхронные вызовы».`,
    },
    href: `/functions/${functionId}?tab=queue`,
    entityId: functionId,
  })
  return 'ALARMED'
}
