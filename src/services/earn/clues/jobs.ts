import type { Work } from '../../../server/work.ts'
import { limits } from './rules.ts'

const mostAtOnce = 10_000

export default {
  sweeps: [
    {
      name: 'clues.retention',
      every: '45 33 * * * *',
      database: 'zone',
      run: async ctx => {
        await ctx.transaction(ctx.zone).query({
          name: 'clues drop behaviors',
          text: `DELETE FROM clue_behaviors
            WHERE behavior_id = ANY (ARRAY(SELECT behavior_id FROM clue_behaviors WHERE at < $1 LIMIT $2))`,
          values: [ctx.now() - limits.keptDays * 86_400_000, mostAtOnce],
        })
      },
    },
  ],
} satisfies Work
