import { and, desc, eq, ilike, lt } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { DecisionView } from './contract.ts'
import { gatheredDecisions } from './memory.ts'
import type { Where } from './publishing.ts'
import type { Snapshot } from './tables.ts'
import { ruleDecisions } from './tables.ts'

interface Wish {
  cursor?: string | undefined
  pageSize?: number | undefined
  allowed?: 'yes' | 'no' | 'all' | undefined
  uid?: string | undefined
  method?: 'get' | 'list' | 'create' | 'update' | 'delete' | undefined
  path?: string | undefined
}

const { decisionId, at, method, path, uid, ip, requestId, version, isAllowed, errors } = ruleDecisions
const shown = { decisionId, at, method, path, uid, ip, requestId, version, isAllowed, errors }

export async function listKept(ctx: Context, where: Where, wish: Wish) {
  await ctx.server.gathered.write(gatheredDecisions)
  const wanted = and(
    eq(ruleDecisions.projectId, where.projectId),
    eq(ruleDecisions.service, where.service),
    wish.allowed === 'all' ? undefined : eq(isAllowed, wish.allowed === 'yes'),
    wish.uid === undefined ? undefined : eq(uid, wish.uid),
    wish.method === undefined ? undefined : eq(method, wish.method),
    wish.path === undefined ? undefined : ilike(path, `%${wish.path.replace(/[\\%_]/g, '\\$&')}%`),
  )
  const size = wish.pageSize ?? 20
  const cursor =
    wish.cursor !== undefined && /^[0-9]{1,19}$/.test(wish.cursor) ? lt(decisionId, wish.cursor) : undefined
  const rows: DecisionView[] = await ctx.db
    .select(shown)
    .from(ruleDecisions)
    .where(and(wanted, cursor))
    .orderBy(desc(decisionId))
    .limit(size + 1)
  const list = rows.slice(0, size)
  const nextCursor = rows.length > size ? list.at(-1)!.decisionId : null
  return { total: await ctx.db.$count(ruleDecisions, wanted), list, nextCursor }
}

export async function keptOf(ctx: Context, where: Where, wanted: string) {
  await ctx.server.gathered.write(gatheredDecisions)
  const [row] = await ctx.db
    .select()
    .from(ruleDecisions)
    .where(
      and(
        eq(decisionId, wanted),
        eq(ruleDecisions.projectId, where.projectId),
        eq(ruleDecisions.service, where.service),
      ),
    )
  return row ?? refuse(commonErrors.notFound, { entity: 'decision', id: wanted })
}

/** The kept request for people: what was looked up goes with it, types do not. */
export function shownRequest({ fields: _fields, ...request }: Snapshot): Record<string, unknown> {
  return request
}
