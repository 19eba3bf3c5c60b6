import { randomInt } from 'node:crypto'
import { and, count, eq, isNull, lt } from 'drizzle-orm'
import { verify } from 'otplib'
import type { Context } from '../../../server/context.ts'
import { limits } from './rules.ts'
import { authenticators, passkeys, recoveryCodes } from './tables.home.ts'

/** A code counts from 30 seconds before to 30 seconds after its own half minute: clocks differ. */
const toleranceSeconds = 30

export async function hasSecondFactorOf(ctx: Context, accountId: string): Promise<boolean> {
  const { rows } = await ctx.transaction('home').query<{ has: boolean }>({
    text: `SELECT EXISTS (SELECT FROM authenticators WHERE account_id = $1)
      OR EXISTS (SELECT FROM passkeys WHERE account_id = $1) AS has`,
    values: [accountId],
  })
  return rows[0]?.has === true
}

export async function factorsOf(ctx: Context, accountId: string) {
  const [authenticator] = await ctx.home.select().from(authenticators).where(eq(authenticators.accountId, accountId))
  const [codes] = await ctx.home
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.accountId, accountId), isNull(recoveryCodes.usedAt)))
  const keys = await ctx.home
    .select()
    .from(passkeys)
    .where(eq(passkeys.accountId, accountId))
    .orderBy(passkeys.createdAt)
  return { authenticator: authenticator ?? null, recoveryCodesLeft: codes?.left ?? 0, passkeys: keys }
}

/** The time step a code belongs to, or null when it is wrong. */
export async function stepOfCode(ctx: Context, secret: string, code: string): Promise<number | null> {
  if (!/^\d{6}$/.test(code)) return null
  const epoch = Math.floor(ctx.now() / 1000)
  const result = await verify({ secret, token: code, epoch, epochTolerance: toleranceSeconds })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/** Uses a code up: of an authenticator app, where an older or the same one never counts again, or a recovery code. */
export async function spendCode(ctx: Context, accountId: string, typed: string): Promise<'app' | 'recovery' | null> {
  const code = typed.replace(/[\s-]/g, '').toLowerCase()
  if (!/^\d{6}$/.test(code)) return (await spendRecoveryCode(ctx, accountId, code)) ? 'recovery' : null
  const [row] = await ctx.home.select().from(authenticators).where(eq(authenticators.accountId, accountId))
  if (!row) return null
  const step = await stepOfCode(ctx, openSecret(ctx, accountId, row.secret), code)
  if (step === null) return null
  const taken = await ctx.home
    .update(authenticators)
    .set({ lastStep: step })
    .where(and(eq(authenticators.accountId, accountId), lt(authenticators.lastStep, step)))
    .returning({ step: authenticators.lastStep })
  return taken.length > 0 ? 'app' : null
}

async function spendRecoveryCode(ctx: Context, accountId: string, code: string): Promise<boolean> {
  const spent = await ctx.home
    .update(recoveryCodes)
    .set({ usedAt: ctx.now() })
    .where(
      and(
        eq(recoveryCodes.accountId, accountId),
        eq(recoveryCodes.hash, recoveryHash(ctx, accountId, code)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ hash: recoveryCodes.hash })
  return spent.length > 0
}

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Replaces the recovery codes. Fifty bits each; only a keyed hash is kept. */
export async function makeRecoveryCodes(ctx: Context, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: limits.recoveryCodes }, () =>
    Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join(''),
  )
  await ctx.home.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId))
  await ctx.home
    .insert(recoveryCodes)
    .values(codes.map(code => ({ accountId, hash: recoveryHash(ctx, accountId, code) })))
  return codes.map(code => `${code.slice(0, 5)}-${code.slice(5)}`)
}

const recoveryHash = (ctx: Context, accountId: string, code: string) =>
  ctx.server.masterKey.sign('recovery code', `${accountId} ${code}`)

export const sealSecret = (ctx: Context, accountId: string, secret: string) =>
  ctx.server.masterKey.seal('authenticator', accountId, secret)

export const openSecret = (ctx: Context, accountId: string, sealed: string) =>
  ctx.server.masterKey.open('authenticator', accountId, sealed)
