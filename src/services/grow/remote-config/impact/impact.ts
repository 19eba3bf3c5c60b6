import { setImmediate } from 'node:timers/promises'
import { and, desc, eq } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { contentOf, placeOf, rowOf, type TemplateRow, type Where } from '../drafts.ts'
import { withAudiences } from '../fetch/audiences.ts'
import { Asking, type Compiled, compileTemplate } from '../fetch/compiled.ts'
import { emptyTemplate, samples, shareOfSample, type Template } from '../rules.ts'
import { rcsContexts } from '../tables.ts'
import { contentOfVersion } from '../versions.ts'
import type { ImpactView } from './contract.ts'

/** Audiences are asked of the database for each context: of fewer. */
const mostWithAudiences = 500
/** Between so many contexts others have their turn. */
const atOnce = 100

/** What publishing the draft would change for those who asked lately: each context under what is in force and under the draft. */
export async function impactOf(ctx: Context, asked: Where): Promise<{ contexts: number; list: ImpactView[] }> {
  const { where, row, published, contexts } = await ctx.transact(async inner => {
    const where = await placeOf(inner, asked)
    const row = await rowOf(inner, where)
    const published = row && row.version > 0 ? await contentOfVersion(inner, where, row.version) : emptyTemplate()
    return { where, row, published, contexts: await contextsOf(inner, where) }
  })
  if (!row || contexts.length < samples.fewest) return { contexts: contexts.length, list: [] }
  const [before, after] = [published, contentOf(row.draft)].map(content => compiledOf(where, row, content))
  if (!before || !after) return { contexts: 0, list: [] }
  const audiences = [...new Set([...before.audiences, ...after.audiences])]
  const wanted = audiences.length > 0 ? contexts.slice(0, mostWithAudiences) : contexts
  const keys = [...new Set([...before.parameters.keys(), ...after.parameters.keys()])]
  const changed = new Map<string, number>()
  for (const [at, attributes] of wanted.entries()) {
    if (at % atOnce === 0) await setImmediate()
    const said = { attributes, now: ctx.now() }
    const context = await withAudiences(ctx.server, ctx.zone, { ...where, teamId: ctx.teamId, audiences }, said)
    const [old, next] = [new Asking(before, context), new Asking(after, context)]
    for (const key of keys)
      if (textOf(before, old, key) !== textOf(after, next, key)) changed.set(key, (changed.get(key) ?? 0) + 1)
  }
  const list = [...changed].map(([key, count]) => ({ key, ...shareOfSample(count, wanted.length) }))
  return { contexts: wanted.length, list: list.sort((a, b) => b.percent - a.percent || (a.key < b.key ? -1 : 1)) }
}

/** The newest first. */
async function contextsOf(ctx: Context, { projectId, kind }: Where): Promise<Record<string, unknown>[]> {
  const rows = await ctx.db
    .select({ attributes: rcsContexts.attributes })
    .from(rcsContexts)
    .where(and(eq(rcsContexts.projectId, projectId), eq(rcsContexts.kind, kind)))
    .orderBy(desc(rcsContexts.seenAt))
    .limit(samples.kept)
  return rows.map(one => one.attributes)
}

const compiledOf = (where: Where, row: TemplateRow, content: Template): Compiled =>
  compileTemplate({
    ...{ ...where, content, version: row.version, teamId: row.teamId, publishedAt: 0, minFetchIntervalSec: 0 },
    ...{ running: row.running, rollouts: row.rollouts },
  })

function textOf({ parameters }: Compiled, asking: Asking, key: string): string | undefined {
  const parameter = parameters.get(key)
  return parameter && asking.outcomeOf(parameter).text
}
