import { lifeCycle } from '../../../../kernel/life-cycle.ts'

/** A team serves another one from acceptance to the end, which either may bring. `provider` is the side that serves. */
export const bindingLifeCycle = lifeCycle({
  entity: 'provider_binding',
  states: ['invited', 'active', 'ended'],
  moves: [
    { from: ['invited'], action: 'accept', to: 'active', may: 'provider', event: 'team.provider_bound' },
    { from: ['invited'], action: 'decline', to: 'ended', may: 'provider', event: 'team.provider_declined' },
    { from: ['invited'], action: 'cancel', to: 'ended', may: 'client', event: 'team.provider_canceled' },
    { from: ['active'], action: 'end', to: 'ended', may: 'client', event: 'team.provider_ended' },
    { from: ['active'], action: 'end', to: 'ended', may: 'provider', event: 'team.provider_ended' },
  ],
})
export type BindingState = (typeof bindingLifeCycle.states)[number]
export type BindingAction = (typeof bindingLifeCycle.moves)[number]['action']
