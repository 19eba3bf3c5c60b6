import type { Context } from '../../../../server/context.ts'
import type { Event, Listener } from '../../../../server/work.ts'
import { homeChangesOf } from './rules.ts'

/** Keeps what the home page shows. What was told later wins, whatever the order it is heard in. */
async function keep(ctx: Context, event: Event): Promise<void> {
  const { appId } = event.data
  if (event.teamId === null || typeof appId !== 'string' || !/^\d+$/.test(event.entityId)) return
  const changes = homeChangesOf(event.type, event.data)
  if (changes.length === 0) return
  await ctx.transact(async inner => {
    for (const { kind, isOpen, need } of changes) {
      await inner.transaction('home').query({
        name: 'home item',
        text: `INSERT INTO home_items (kind, entity_id, team_id, app_id, zone, need, is_open, at)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
          ON CONFLICT (kind, entity_id) DO UPDATE SET need = excluded.need, is_open = excluded.is_open, at = excluded.at
          WHERE home_items.at <= excluded.at`,
        values: [kind, event.entityId, event.teamId, appId, ctx.zone, need, isOpen, event.at],
      })
    }
  })
}

const packageEvents = ['package.failed', 'package.ready', 'package.deleted', 'package.processing']

export const homeListener: Listener = { name: 'projects.home', on: [...packageEvents, 'version.*'], run: keep }
