import { createTransport } from 'nodemailer'
import type { Clock } from '../../clock.ts'
import { messageOf, type Sender } from './message.ts'
import { checkMail, type Mail, type MailEngine } from './port.ts'

/** Hands mails to a mail server. Few connections, kept for a while; a server that hangs is given up. */
export class SmtpMail implements MailEngine {
  readonly name = 'smtp'
  readonly kept = null
  readonly #from: Sender
  readonly #clock: Clock
  readonly #transport: ReturnType<typeof openTransport>

  constructor(url: URL, from: Sender, clock: Clock) {
    this.#from = from
    this.#clock = clock
    this.#transport = openTransport(url)
  }

  async send(mail: Mail): Promise<void> {
    checkMail(mail)
    await this.#transport.sendMail(messageOf(mail, this.#from, this.#clock.now()))
  }

  async close(): Promise<void> {
    this.#transport.close()
  }
}

function openTransport(url: URL) {
  const isSecure = url.protocol === 'smtps:'
  return createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isSecure ? 465 : 587),
    secure: isSecure,
    ...(url.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  })
}
