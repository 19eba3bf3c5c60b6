import type { Context } from '../../../../../server/context.ts'

export interface TextMessage {
  messageId: string
  projectId: string
  /** `+cc-number`. */
  phone: string
  text: string
}

/** `kept`: nobody got it, it is shown in the console. `sent`: the receiver of the webhook took it over. */
export type SmsOutcome = { state: 'KEPT' | 'SENT'; reason: null } | { state: 'FAILED'; reason: string }

/** Sends text messages; called from jobs only. A fault that may pass is thrown, so that the job tries again. */
export interface SmsEngine {
  readonly name: 'outbox' | 'webhook'
  /** Whether a message really leaves this machine. */
  readonly isDelivering: boolean
  send(ctx: Context, message: TextMessage): Promise<SmsOutcome>
}
