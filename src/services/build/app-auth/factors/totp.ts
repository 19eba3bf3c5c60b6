import { randomInt } from 'node:crypto'
import { and, eq, isNull, lt } from 'drizzle-orm'
import { generateSecret, generateURI, verify } from 'otplib'
import type { Context } from '../../../../server/context.ts'
import { appUserRecoveryCodes, appUserTotp } from './tables.ts'

/** A code counts from 30 seconds before to 30 seconds after its own half minute: clocks differ. */
const toleranceSeconds = 30
const recoveryCodes = 10
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

interface Owner {
  uid: string
  projectId: string
  teamId: string
}

export async function totpOf(ctx: Context, uid: string) {
  const [row] = await ctx.db.select().from(appUserTotp).where(eq(appUserTotp.uid, uid))
  return row ?? null
}

export async function recoveryCodesLeft(ctx: Context, uid: string): Promise<number> {
  return ctx.db.$count(
    appUserRecoveryCodes,
    and(eq(appUserRecoveryCodes.uid, uid), isNull(appUserRecoveryCodes.usedAt)),
  )
}

/** A new secret with its address. */
export function newSecret(issuer: string, label: string) {
  const secret = generateSecret()
  return { secret, uri: factorAddress(issuer, label, secret) }
}

/** How an authenticator app takes a secret. */
export const factorAddress = (issuer: string, label: string, secret: string) => generateURI({ issuer, label, secret })

export const sealSecret = (ctx: Context, uid: string, secret: string) =>
  ctx.server.masterKey.seal('app user totp', uid, secret)

async function stepOf(ctx: Context, uid: string, sealed: string, code: string): Promise<number | null> {
  if (!/^\d{6}$/.test(code)) return null
  const secret = ctx.server.masterKey.open('app user totp', uid, sealed)
  const epoch = Math.floor(ctx.now() / 1000)
  const result = await verify({ secret, token: code, epoch, epochTolerance: toleranceSeconds })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/** Keeps a secret whose first code is right, with ten recovery codes; null for a wrong code or where there is one. */
export async function keepTotp(ctx: Context, owner: Owner, sealed: string, code: string): Promise<string[] | null> {
  const step = await stepOf(ctx, owner.uid, sealed, code)
  if (step === null) return null
  const { uid, projectId, teamId } = owner
  const made = await ctx.db
    .insert(appUserTotp)
    .values({ uid, projectId, teamId, sealedSecret: sealed, lastStep: step, createdAt: ctx.now() })
    .onConflictDoNothing()
    .returning({ uid: appUserTotp.uid })
  return made.length === 0 ? null : makeRecoveryCodes(ctx, owner)
}

async function makeRecoveryCodes(ctx: Context, { uid, projectId, teamId }: Owner): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () =>
    Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join(''),
  )
  await ctx.db.delete(appUserRecoveryCodes).where(eq(appUserRecoveryCodes.uid, uid))
  await ctx.db
    .insert(appUserRecoveryCodes)
    .values(codes.map(code => ({ uid, projectId, teamId, codeHash: hashOf(ctx, uid, code) })))
  return codes.map(code => `${code.slice(0, 5)}-${code.slice(5)}`)
}

/** Uses a code up: of the app, where the same or an older one never counts again, or a recovery code. */
export async function spendFactor(ctx: Context, uid: string, typed: unknown): Promise<boolean> {
  if (typeof typed !== 'string' || typed.length > 40) return false
  const code = typed.replace(/[\s-]/g, '').toLowerCase()
  if (!/^\d{6}$/.test(code)) return spendRecoveryCode(ctx, uid, code)
  const row = await totpOf(ctx, uid)
  const step = row && (await stepOf(ctx, uid, row.sealedSecret, code))
  if (step === null) return false
  const taken = await ctx.db
    .update(appUserTotp)
    .set({ lastStep: step })
    .where(and(eq(appUserTotp.uid, uid), lt(appUserTotp.lastStep, step)))
    .returning({ uid: appUserTotp.uid })
  return taken.length > 0
}

async function spendRecoveryCode(ctx: Context, uid: string, code: string): Promise<boolean> {
  const spent = await ctx.db
    .update(appUserRecoveryCodes)
    .set({ usedAt: ctx.now() })
    .where(
      and(
        eq(appUserRecoveryCodes.uid, uid),
        eq(appUserRecoveryCodes.codeHash, hashOf(ctx, uid, code)),
        isNull(appUserRecoveryCodes.usedAt),
      ),
    )
    .returning({ uid: appUserRecoveryCodes.uid })
  return spent.length > 0
}

const hashOf = (ctx: Context, uid: string, code: string) =>
  ctx.server.masterKey.sign('app user recovery', `${uid} ${code}`)

/** Takes the second factor of users away, with what they had to do without it. */
export async function dropFactors(ctx: Context, uid: string): Promise<void> {
  await ctx.db.delete(appUserTotp).where(eq(appUserTotp.uid, uid))
  await ctx.db.delete(appUserRecoveryCodes).where(eq(appUserRecoveryCodes.uid, uid))
}
