import type { SmsEngine } from './port.ts'

/** Keeps messages for people to read in the console; nothing is delivered, and the console says so. */
export const outboxEngine: SmsEngine = {
  name: 'outbox',
  isDelivering: false,
  send: async () => ({ state: 'KEPT', reason: null }),
}
