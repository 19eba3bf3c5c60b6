import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { holdoutRows as rows } from '../tables.ts'

export type Holdout = typeof rows.$inferSelect

/** Of whom every project holds back so many unless it says otherwise, in percent. */
export const usualPercent = 2

/** A text that nobody can guess: whoever is drawn by it was drawn by chance. */
export const newSeed = () => randomBytes(12).toString('base64url')

/** Those who take part in no experiment of a project; null where nobody ever asked. */
export async function holdoutOf(ctx: Context, projectId: string): Promise<Holdout | null> {
  const [row] = await ctx.db.select().from(rows).where(eq(rows.projectId, projectId))
  return row ?? null
}

/** The same, made where it is not there, and held until the transaction ends: one start at a time in a project. */
export async function lockHoldout(ctx: Context, projectId: string): Promise<Holdout> {
  await ctx.db
    .insert(rows)
    .values({
      ...{ projectId, teamId: ctx.teamId, seed: newSeed(), unitAttr: 'targetingKey' },
      ...{ percent: usualPercent, updatedAt: ctx.now() },
    })
    .onConflictDoNothing()
  const [row] = await ctx.db.select().from(rows).where(eq(rows.projectId, projectId)).for('update')
  return row ?? refuse(commonErrors.notFound, { entity: 'project', id: projectId })
}
