import { lifeCycle } from '../../../../kernel/life-cycle.ts'

/** `invited` is who holds the token and the address. */
export const invitationLifeCycle = lifeCycle({
  entity: 'invitation',
  states: ['open', 'accepted', 'declined', 'canceled', 'expired'],
  moves: [
    { from: ['open'], action: 'resend', to: 'open', may: 'teams.members', event: 'team.invitation_resent' },
    { from: ['open'], action: 'cancel', to: 'canceled', may: 'teams.members', event: 'team.invitation_canceled' },
    { from: ['open'], action: 'accept', to: 'accepted', may: 'invited', event: 'team.invitation_accepted' },
    { from: ['open'], action: 'decline', to: 'declined', may: 'invited', event: 'team.invitation_declined' },
    { from: ['open'], action: 'expire', to: 'expired', may: 'system', event: 'team.invitation_expired' },
  ],
})
export type InvitationState = (typeof invitationLifeCycle.states)[number]
export type InvitationAction = (typeof invitationLifeCycle.moves)[number]['action']

/** Languages of the mail. */
export const languages = ['zh', 'en', 'ru'] as const
export type MailLanguage = (typeof languages)[number]

const emailRule = /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]+\.[^\s@<>,;:"()[\]\\]{2,63}$/
const phoneRule = /^\+[1-9][0-9]{6,14}$/

/** An address as it is compared, with its channel; null when it is neither mail address nor phone number. */
export function readAddress(address: string): { channel: 'email' | 'phone'; address: string; key: string } | null {
  const plain = address.normalize('NFKC').trim()
  if (emailRule.test(plain)) return { channel: 'email', address: plain, key: plain.toLowerCase() }
  const digits = plain.replace(/[\s().-]/g, '')
  return phoneRule.test(digits) ? { channel: 'phone', address: digits, key: digits } : null
}

/** An address for a page that anybody with the link sees: enough to know one's own by. */
export function maskedAddress(address: string): string {
  const at = address.indexOf('@')
  if (at < 0) return `${address.slice(0, 3)}\u2022\u2022\u2022${address.slice(-2)}`
  return `${address.slice(0, Math.min(2, at))}\u2022\u2022\u2022${address.slice(at)}`
}
