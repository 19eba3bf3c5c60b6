import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { endSessions, type SessionRow } from '../sessions.ts'
import { authGrants } from '../tables.ts'
import type { Flow } from './flow.ts'
import { hostedTimes } from './rules.ts'

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

/** A code for the app, of a minute; only its hash is kept. */
export async function makeGrant(ctx: Context, flow: Flow, session: SessionRow): Promise<string> {
  const code = randomBytes(32).toString('base64url')
  const { projectId, teamId, uid, familyId } = session
  const { clientId, redirectUri, challenge, nonce, scope } = flow
  await ctx.db.insert(authGrants).values({
    ...{ projectId, teamId, uid, familyId, clientId, redirectUri, challenge, nonce, scope },
    codeHash: digest(code),
    createdAt: ctx.now(),
    expiresAt: ctx.now() + hostedTimes.grantMs,
  })
  return code
}

export type GrantRow = typeof authGrants.$inferSelect

/**
 * Takes a code for the client that it was made for: one of many at once gets it. One that comes again ends what it
 * opened, for somebody else has it. Null for every code that opens nothing.
 */
export async function takeGrant(ctx: Context, clientId: string, code: string): Promise<GrantRow | null> {
  const isIt = and(eq(authGrants.codeHash, digest(code)), eq(authGrants.clientId, clientId))
  const [taken] = await ctx.db
    .update(authGrants)
    .set({ usedAt: ctx.now() })
    .where(and(isIt, isNull(authGrants.usedAt), gt(authGrants.expiresAt, ctx.now())))
    .returning()
  if (taken) return taken
  const [used] = await ctx.db
    .select()
    .from(authGrants)
    .where(and(isIt, isNotNull(authGrants.usedAt)))
  if (used) await endSessions(ctx, { uids: [used.uid], familyId: used.familyId }, 'REUSE')
  return null
}

export const isVerifierOf = (verifier: string, challenge: string) => digest(verifier) === challenge
