import { and, asc, eq, sql } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { readJson } from '../../../server/http/json-body.ts'
import { errors } from './contract.ts'
import { claimsFault } from './rules.ts'
import { postSigned } from './signed-post.ts'
import { authHooks } from './tables.ts'

type HookRow = typeof authHooks.$inferSelect

export interface HookFacts {
  projectId: string
  provider: number
  uid: string | null
  email: string | null
  phone: string | null
  displayName: string
}

type Verdict = { outcome: 'ALLOWED' | 'DENIED' | 'FAILED'; message: string; claims: Record<string, unknown> | null }

const deniedMessage = 'The app does not let this user in.'

/**
 * Asks the hooks of a moment, one after the other, outside of any transaction; the first no ends it. Answers claims that
 * they want a new user to have.
 */
export async function askHooks(
  ctx: Context,
  moment: HookRow['moment'],
  facts: HookFacts,
): Promise<Record<string, unknown>> {
  const hooks = await ctx.transact(inner =>
    inner.db
      .select()
      .from(authHooks)
      .where(and(eq(authHooks.projectId, facts.projectId), eq(authHooks.moment, moment), eq(authHooks.enabled, true)))
      .orderBy(asc(authHooks.hookId)),
  )
  let claims: Record<string, unknown> = {}
  for (const hook of hooks) {
    const verdict = await ask(ctx, hook, facts)
    await note(ctx, hook, verdict)
    if (verdict.outcome === 'DENIED') refuse(errors.hookRefused, { message: verdict.message })
    if (verdict.outcome === 'FAILED' && hook.onFailure === 'DENY')
      refuse(errors.hookRefused, { message: 'A check of the app does not answer; try again later.' })
    claims = { ...claims, ...verdict.claims }
  }
  return claimsFault(claims) === null ? claims : {}
}

/** Asks one hook; what it answers is believed only in its own shape. */
export async function ask(ctx: Context, hook: HookRow, facts: HookFacts): Promise<Verdict> {
  const secret = ctx.server.masterKey.open('app auth hook', hook.hookId, hook.sealedSecret)
  const id = `hook_${ctx.newId()}`
  try {
    const { status, text } = await postSigned(ctx, {
      ...{ url: hook.url, secret, id, timeoutMs: hook.timeoutMs },
      body: { type: `user.${hook.moment.toLowerCase()}`, at: ctx.now(), user: facts },
    })
    if (status < 200 || status > 299) return { outcome: 'FAILED', message: `answered ${status}`, claims: null }
    return readVerdict(text)
  } catch (error) {
    return { outcome: 'FAILED', message: (error as Error).message.slice(0, 200), claims: null }
  }
}

function readVerdict(text: string): Verdict {
  const failed: Verdict = { outcome: 'FAILED', message: 'answered no JSON with "allow"', claims: null }
  try {
    const read = readJson(text) as { allow?: unknown; message?: unknown; claims?: unknown } | null
    if (typeof read?.allow !== 'boolean') return failed
    const message =
      typeof read.message === 'string' ? read.message.replace(/\p{Cc}/gu, ' ').slice(0, 200) : deniedMessage
    const isObject = typeof read.claims === 'object' && read.claims !== null && !Array.isArray(read.claims)
    const claims = isObject ? (read.claims as Record<string, unknown>) : null
    return { outcome: read.allow ? 'ALLOWED' : 'DENIED', message, claims }
  } catch {
    return failed
  }
}

async function note(ctx: Context, { hookId }: HookRow, { outcome, message }: Verdict): Promise<void> {
  await ctx.transact(inner =>
    inner.db
      .update(authHooks)
      .set({
        calls: sql`${authHooks.calls} + 1`,
        failures: sql`${authHooks.failures} + ${outcome === 'FAILED' ? 1 : 0}`,
        lastAt: inner.now(),
        lastOutcome: outcome === 'FAILED' ? `FAILED: ${message}` : outcome,
      })
      .where(eq(authHooks.hookId, hookId)),
  )
}
