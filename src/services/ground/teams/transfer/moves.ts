import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import type { leaderOffers } from '../tables.home.ts'
import { type OfferAction, offerLifeCycle } from './rules.ts'

export type OfferRow = typeof leaderOffers.$inferSelect

/** Moves an offer by the table; whose right it is was checked by who calls. */
export async function moveOffer(ctx: Context, row: OfferRow, action: OfferAction): Promise<void> {
  await transition(ctx, {
    cycle: offerLifeCycle,
    table: 'leader_offers',
    idColumn: 'offer_id',
    row: { id: row.offerId, state: row.state, revision: row.revision },
    action,
    data: { accountId: row.toAccountId, fromAccountId: row.fromAccountId, teamId: row.teamId },
    teamId: row.teamId,
    isConsequence: true,
    database: 'home',
  })
}
