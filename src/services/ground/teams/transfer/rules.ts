import { lifeCycle } from '../../../../kernel/life-cycle.ts'

/** The lead of a team goes from hand to hand; `offered` is who it is held out to. */
export const offerLifeCycle = lifeCycle({
  entity: 'leader_offer',
  states: ['open', 'accepted', 'declined', 'canceled', 'expired'],
  moves: [
    { from: ['open'], action: 'accept', to: 'accepted', may: 'offered', event: 'team.leader_changed' },
    { from: ['open'], action: 'decline', to: 'declined', may: 'offered', event: 'team.leader_declined' },
    { from: ['open'], action: 'cancel', to: 'canceled', may: 'teams.transfer', event: 'team.leader_offer_canceled' },
    { from: ['open'], action: 'expire', to: 'expired', may: 'system', event: 'team.leader_offer_expired' },
  ],
})
export type OfferAction = (typeof offerLifeCycle.moves)[number]['action']
