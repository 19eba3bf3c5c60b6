import path from 'node:path'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Sender } from './message.ts'
import { isMailAddress, type MailEngine } from './port.ts'
import { MailSink } from './sink.ts'
import { SmtpMail } from './smtp.ts'

/** The engine that the configuration names: a mail server, else files below the data folder. */
export function openMail(config: Config, clock: Clock): MailEngine {
  const from = senderOf(config)
  if (config.smtp === undefined) return new MailSink(path.join(config.dataDir, 'mail'), from, clock)
  return new SmtpMail(smtpUrl(config.smtp), from, clock)
}

/** Host and port of the mail server, never its password; null where mails are kept. */
export function mailHostOf(config: Config): string | null {
  return config.smtp === undefined ? null : smtpUrl(config.smtp).host
}

function smtpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new Error('LOGGIA_SMTP cannot be used; it must be smtp://user:password@host:587 or smtps://...:465')
  }
  return url
}

function senderOf(config: Config): Sender {
  const wanted = config.mailFrom ?? `Loggia <no-reply@${new URL(config.publicUrl).hostname}>`
  const [, name = '', inBrackets, plain] = /^(?:([^<>"]*)<([^<>]+)>|([^<>"]+))$/.exec(wanted.trim()) ?? []
  const address = (inBrackets ?? plain ?? '').trim()
  if (!isMailAddress(address) || /\p{Cc}/u.test(name)) {
    throw new Error(`LOGGIA_MAIL_FROM is ${wanted}; it must be an address, or a name and <an address>`)
  }
  return { name: name.trim(), address }
}
