import { allowedActions } from '../../../kernel/life-cycle.ts'
import type { Static } from '../../../kernel/shape.ts'
import type { Context } from '../../../server/context.ts'
import { appsOf } from '../apps/public.ts'
import type { Check, CheckSummary } from './contract.ts'
import type { CheckRecord } from './queries.ts'
import { type RuleId, ruleTexts } from './rule-texts.data.ts'
import { checkCycle, countsOf, numberOfState } from './rules.ts'

/** Checks with the names of their apps and how far they are: two queries for all of them. */
export async function toSummaries(
  ctx: Context,
  rows: readonly CheckRecord[],
): Promise<(Static<typeof CheckSummary> & { step: string | null })[]> {
  const apps = await appsOf(
    ctx,
    rows.map(row => row.appId),
  )
  const names = new Map(apps.map(app => [app.appId, app.name]))
  const progress = await progressOf(
    ctx,
    rows.filter(row => row.finishedAt === null).map(row => row.jobId),
  )
  return rows.map(row => {
    const { fileName, packageName, versionCode, versionName } = row.subject
    const { percent = 0, step = null } = progress.get(row.jobId) ?? {}
    return {
      ...row,
      ...{ fileName, packageName, versionCode, versionName, step },
      appName: names.get(row.appId) ?? '',
      status: numberOfState[row.state],
      percent: row.finishedAt === null ? Number(percent) : 100,
      counts: countsOf(row.items),
      allowedActions: allowedActions(checkCycle, row.state, permission => ctx.may(permission)),
    }
  })
}

async function progressOf(ctx: Context, jobIds: readonly string[]) {
  if (jobIds.length === 0) return new Map<string, { percent: number; step: string | null }>()
  const { rows } = await ctx.transaction(ctx.zone).query<{ jobId: string; percent: number; step: string | null }>({
    name: 'check progress',
    text: 'SELECT job_id AS "jobId", percent, step FROM jobs WHERE job_id = ANY($1::bigint[])',
    values: [jobIds],
  })
  return new Map(rows.map(row => [row.jobId, row]))
}

/** One check with what each rule found, in words. */
export async function toCheck(ctx: Context, row: CheckRecord): Promise<Static<typeof Check>> {
  const [summary] = await toSummaries(ctx, [row])
  return { ...summary!, items: itemsInWords(row) }
}

/** Items with the texts of their rules, the worst first; a rule that is no more keeps its name. */
export function itemsInWords({ items }: Pick<CheckRecord, 'items'>): Static<typeof Check>['items'] {
  const order = ['BLOCK', 'WARN', 'INFO', 'NOT_RUN', 'PASS']
  return items
    .map(item => {
      const plain = { zh: item.ruleId, en: item.ruleId, ru: item.ruleId }
      const { title = plain, fix = plain } = ruleTexts[item.ruleId as RuleId] ?? {}
      return { ...item, title, fix }
    })
    .sort((a, b) => order.indexOf(a.result) - order.indexOf(b.result))
}
