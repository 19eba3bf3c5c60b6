import { randomInt } from 'node:crypto'
import { and, count, eq, gt, isNull, max, min, sql } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { KnownCaller } from './caller.ts'
import { errors } from './contract.ts'
import { queueCodeMail, queueCodeMessage } from './messages.ts'
import { placeOf } from './product.ts'
import { languageOf, limits } from './rules.ts'
import { type AuthSettings, appUsers, authCodes } from './tables.ts'

/** What a code is for; the public SDK knows the first two. */
export const codeActions = { signIn: 1001, reset: 1002, bind: 1003 } as const

export interface CodeTarget {
  channel: 'EMAIL' | 'PHONE'
  target: string
}

const hourMs = 3_600_000

/**
 * Makes a code and has it sent. Who asks learns nothing of whether there is a user: a reset of nobody’s password does
 * the same work and sends nothing.
 */
export async function sendCode(
  ctx: Context,
  caller: KnownCaller,
  wanted: CodeTarget & { action: number; lang: string | undefined; settings: AuthSettings; link?: string },
): Promise<void> {
  const { channel, target, action, settings } = wanted
  const { projectId, teamId } = caller
  await assertRates(ctx, projectId, target)
  const codeId = ctx.newId()
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const now = ctx.now()
  await ctx.db.insert(authCodes).values({
    ...{ codeId, projectId, teamId, channel, target, action },
    codeHash: hashOf(ctx, codeId, code),
    requester: caller.requester,
    place: placeOf(ctx),
    createdAt: now,
    expiresAt: now + limits.codeMs,
  })
  const isMeant = action !== codeActions.reset || (await isKnown(ctx, projectId, wanted))
  const { link } = wanted
  const message = { projectId, teamId, codeId, code, language: languageOf(wanted.lang), isMeant, link }
  if (channel === 'PHONE') await queueCodeMessage(ctx, { ...message, phone: target, settings })
  else
    await queueCodeMail(ctx, { ...message, to: target, kind: action === codeActions.reset ? 'RESET' : 'VERIFY_EMAIL' })
}

async function assertRates(ctx: Context, projectId: string, target: string): Promise<void> {
  const now = ctx.now()
  const place = placeOf(ctx)
  for (const key of [`t ${projectId} ${target}`, `p ${projectId} ${place}`].sort())
    await ctx.transaction(ctx.zone).query('SELECT pg_advisory_xact_lock(hashtextextended($1, 403))', [key])
  const since = gt(authCodes.createdAt, now - hourMs)
  const isHere = sql<number>`count(*) FILTER (WHERE ${authCodes.place} = ${place})::int`
  const [sent] = await ctx.db
    .select({
      all: count(),
      here: isHere,
      last: max(sql`CASE WHEN ${authCodes.place} = ${place} THEN ${authCodes.createdAt} END`),
      first: min(authCodes.createdAt),
    })
    .from(authCodes)
    .where(and(eq(authCodes.projectId, projectId), eq(authCodes.target, target), since))
  const [fromHere] = await ctx.db
    .select({ all: count(), first: min(authCodes.createdAt) })
    .from(authCodes)
    .where(and(eq(authCodes.projectId, projectId), eq(authCodes.place, place), since))
  const gapMs = Number(sent?.last ?? 0) + limits.codeGapMs - now
  const hourly = (first: unknown) => Math.max(1000, Number(first ?? now) + hourMs - now)
  const waitMs = Math.max(
    sent?.last ? gapMs : 0,
    (sent?.here ?? 0) >= limits.codesAnHour || (sent?.all ?? 0) >= limits.codesAnHourOfTarget ? hourly(sent?.first) : 0,
    (fromHere?.all ?? 0) >= limits.codesAnHourOfAddress ? hourly(fromHere?.first) : 0,
  )
  if (waitMs > 0) refuse(errors.codeTooOften, { retryAfterSeconds: Math.ceil(waitMs / 1000) })
}

async function isKnown(ctx: Context, projectId: string, { channel, target }: CodeTarget): Promise<boolean> {
  const column = channel === 'EMAIL' ? appUsers.email : appUsers.phone
  const found = await ctx.db.$count(
    appUsers,
    and(eq(appUsers.projectId, projectId), eq(column, target), eq(appUsers.state, 'ACTIVE')),
  )
  return found > 0
}

/**
 * Looks whether a code is the one that this installation was sent, and counts the try whatever it was; the fifth is the
 * last. Answers the id to spend, in the transaction that does what the code is for. Refuses with one word for all faults.
 */
export async function checkCode(
  ctx: Context,
  caller: KnownCaller,
  wanted: CodeTarget & { actions: readonly number[]; code: unknown },
): Promise<string> {
  const { channel, target, actions, code } = wanted
  if (typeof code !== 'string' || !/^\d{6}$/.test(code)) refuse(errors.codeWrong)
  const found = await ctx.transact(async inner => {
    const { rows } = await inner.transaction(inner.zone).query<{ code_id: string; code_hash: string }>({
      name: 'app auth code try',
      text: `UPDATE app_auth_codes SET attempts = attempts + 1 WHERE code_id = (
          SELECT code_id FROM app_auth_codes WHERE project_id = $1 AND target = $2 AND channel = $3 AND requester = $4
            AND action = ANY($5::int[]) AND used_at IS NULL AND expires_at > $6 ORDER BY code_id DESC LIMIT 1)
        AND attempts < $7 RETURNING code_id, code_hash`,
      values: [caller.projectId, target, channel, caller.requester, actions, inner.now(), limits.codeAttempts],
    })
    return rows[0]
  })
  if (!found) refuse(errors.codeWrong)
  if (!ctx.server.masterKey.verify('app auth code', `${found.code_id} ${code}`, found.code_hash))
    refuse(errors.codeWrong)
  return found.code_id
}

/** Uses a code up; of two at once one is refused. */
export async function spendCode(ctx: Context, codeId: string): Promise<void> {
  const now = ctx.now()
  const spent = await ctx.db
    .update(authCodes)
    .set({ usedAt: now })
    .where(and(eq(authCodes.codeId, codeId), isNull(authCodes.usedAt), gt(authCodes.expiresAt, now)))
    .returning({ codeId: authCodes.codeId })
  if (spent.length === 0) refuse(errors.codeWrong)
  await ctx.transaction(ctx.zone).query({
    name: 'app auth message used',
    text: 'UPDATE app_auth_messages SET used_at = $2 WHERE code_id = $1',
    values: [codeId, now],
  })
}

const hashOf = (ctx: Context, codeId: string, code: string) =>
  ctx.server.masterKey.sign('app auth code', `${codeId} ${code}`)
