import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import type { TriggerType } from './rules.ts'
import { triggers } from './tables.ts'

export type TriggerRow = typeof triggers.$inferSelect

/** Those of a project that are on and of a kind. */
export function listeningTo(ctx: Context, projectIds: readonly string[], typeCode: TriggerType): Promise<TriggerRow[]> {
  return ctx.db
    .select()
    .from(triggers)
    .where(
      and(inArray(triggers.projectId, [...projectIds]), eq(triggers.typeCode, typeCode), eq(triggers.isEnabled, true)),
    )
    .orderBy(asc(triggers.triggerId))
}

/** Names of triggers that lead to a version, or to an alias. */
export async function triggersTo(ctx: Context, functionId: string, qualifiers: readonly string[]): Promise<string[]> {
  const rows = await ctx.db
    .select({ name: triggers.name })
    .from(triggers)
    .where(and(eq(triggers.functionId, functionId), inArray(triggers.qualifier, [...qualifiers])))
    .orderBy(asc(triggers.triggerId))
  return rows.map(row => row.name)
}
