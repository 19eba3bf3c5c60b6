import { and, eq } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { functionErrors } from '../contract.ts'
import { versionRow } from '../queries.ts'
import { latest } from '../rules.ts'
import { functionAliases } from '../tables.ts'

/** Refuses 404 where the function has no such version or alias. */
export async function assertQualifier(ctx: Context, functionId: string, qualifier: string): Promise<void> {
  if (qualifier === latest) return
  if (/^[0-9]+$/.test(qualifier)) {
    await versionRow(ctx, functionId, qualifier)
    return
  }
  const isIt = and(eq(functionAliases.functionId, functionId), eq(functionAliases.name, qualifier))
  if ((await ctx.db.$count(functionAliases, isIt)) === 0) refuse(functionErrors.noVersion, { qualifier })
}
