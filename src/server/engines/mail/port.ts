export interface Mail {
  /** One address, without a name. */
  to: string
  subject: string
  text: string
  html?: string
  /** Names the mail for ever: one that is sent again, by a job that ran twice, has the same Message-ID. */
  id?: string
  /** Where one POST ends mails of this kind (RFC 8058). */
  unsubscribeUrl?: string
}

/** A mail that was kept instead of sent. */
export interface KeptMail {
  mailId: string
  to: string
  subject: string
  text: string
  html: string | null
  /** Epoch milliseconds. */
  sentAt: number
}

export interface KeptMails {
  /** Newest first; `before` is the `mailId` the page before ended with. */
  list(limit: number, before?: string): Promise<{ total: number; list: KeptMail[] }>
  /** The mail with its source as it would have gone out, or null. */
  read(mailId: string): Promise<(KeptMail & { source: string }) | null>
  /** Drops the mails that went to one of these words or that have one in their subject or text, in any case. */
  forget(words: readonly string[]): Promise<void>
}

/** Sends mails, one recipient each. Call it from jobs only: a mail server may take its time. */
export interface MailEngine {
  readonly name: 'smtp' | 'sink'
  /** Resolves when the mail server has it, or when it lies on disk. Throws `BadMail` for what can never be sent. */
  send(mail: Mail): Promise<void>
  /** What a development sink has kept; null where mails really go out. */
  readonly kept: KeptMails | null
  close(): Promise<void>
}

/** The mail itself is wrong; sending it again is of no use. */
export class BadMail extends Error {}

const address = /^[^\p{C}\s@<>,;:"()[\]\\]{1,64}@[^\p{C}\s@<>,;:"()[\]\\]{1,189}$/u
const lineBreak = /[\p{Cc}\u2028\u2029]/u
const limits = { subject: 500, bodyBytes: 1_000_000 }

/** Whether a text is one plain mail address: no name, no list, nothing that could end a header. */
export function isMailAddress(text: string): boolean {
  return address.test(text) && !/(^|@)\.|\.\.|\.(@|$)/.test(text)
}

/** Throws `BadMail` for a mail that could forge headers or reach more than one mailbox. */
export function checkMail(mail: Mail): void {
  if (!isMailAddress(mail.to)) throw new BadMail('the recipient is not one mail address')
  if (lineBreak.test(mail.subject)) throw new BadMail('a subject has no line breaks or control characters')
  if (mail.subject.length > limits.subject) throw new BadMail(`a subject has at most ${limits.subject} characters`)
  if (mail.id !== undefined && !/^[\w.-]{1,120}$/.test(mail.id)) throw new BadMail('a mail id has letters and digits')
  if (mail.unsubscribeUrl !== undefined && !/^https?:\/\/[^\s<>]+$/.test(mail.unsubscribeUrl)) {
    throw new BadMail('the address for unsubscribing is no http address')
  }
  if (Buffer.byteLength(mail.text) + Buffer.byteLength(mail.html ?? '') > limits.bodyBytes) {
    throw new BadMail(`a mail has at most ${limits.bodyBytes} bytes`)
  }
}
