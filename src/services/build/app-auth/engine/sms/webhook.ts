import { OutsideError } from '../../../../../server/outside/outside-error.ts'
import { postSigned } from '../../signed-post.ts'
import type { SmsEngine } from './port.ts'

/** Hands messages to an address of the team, signed as Standard Webhooks has it; 2xx is taken over, 4xx is final. */
export function webhookEngine(url: string, secret: string): SmsEngine {
  return {
    name: 'webhook',
    isDelivering: true,
    send: async (ctx, { messageId, projectId, phone, text }) => {
      try {
        const { status } = await postSigned(ctx, {
          ...{ url, secret, timeoutMs: 10_000 },
          id: messageId,
          body: { type: 'sms.send', messageId, projectId, phone, text },
        })
        if (status >= 200 && status < 300) return { state: 'SENT', reason: null }
        if (status >= 500 || status === 429) throw new Error(`the SMS receiver answered ${status}`)
        return { state: 'FAILED', reason: `answered ${status}` }
      } catch (error) {
        if (error instanceof OutsideError && error.reason === 'address')
          return { state: 'FAILED', reason: error.message }
        throw error
      }
    },
  }
}
