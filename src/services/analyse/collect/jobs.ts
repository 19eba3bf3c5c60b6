import type { Context } from '../../../server/context.ts'
import type { Work } from '../../../server/work.ts'
import { dropSalts } from './people.ts'
import { dayMs, dayOf, limits } from './rules.ts'

/** Beyond this the next sweep goes on, so that none holds its rows for long. */
const mostAtOnce = 50_000

export default {
  sweeps: [
    { name: 'collect.retention', every: '25 13 * * * *', database: 'zone', run: dropOldEvents },
    { name: 'collect.salts', every: '35 */10 * * * *', database: 'zone', run: dropSalts },
  ],
} satisfies Work

async function dropOldEvents(ctx: Context): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    name: 'collect drop events',
    text: 'DELETE FROM collect_events WHERE ctid = ANY (ARRAY(SELECT ctid FROM collect_events WHERE day < $1 LIMIT $2))',
    values: [dayOf(ctx.now() - limits.keptDays * dayMs), mostAtOnce],
  })
  await ctx.transaction(ctx.zone).query({
    name: 'collect drop names',
    text: 'DELETE FROM collect_names WHERE last_day < $1',
    values: [dayOf(ctx.now() - limits.keptDays * dayMs)],
  })
}
