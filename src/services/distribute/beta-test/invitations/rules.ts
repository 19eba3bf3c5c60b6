import { lifeCycle } from '../../../../kernel/life-cycle.ts'

export const linkLifeCycle = lifeCycle({
  entity: 'testLink',
  states: ['LIVE', 'REVOKED', 'EXPIRED'],
  moves: [
    { from: ['LIVE'], action: 'revoke', to: 'REVOKED', may: 'betaTest.manage', event: 'testlink.revoked' },
    { from: ['LIVE'], action: 'expire', to: 'EXPIRED', may: 'system', event: 'testlink.expired' },
  ],
})

/** An address for a page that anybody with the secret sees: enough to know one's own by. */
export function maskedAddress(address: string): string {
  const at = address.indexOf('@')
  if (at < 0) return `${address.slice(0, 3)}\u2022\u2022\u2022${address.slice(-2)}`
  return `${address.slice(0, Math.min(2, at))}\u2022\u2022\u2022${address.slice(at)}`
}
