import { randomUUID } from 'node:crypto'
import type { SendMailOptions } from 'nodemailer'
import type { Mail } from './port.ts'

/** Turns the direction of what follows: a subject could show another sender or address than it holds. */
const directionMarks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** The sender of all mails: `Loggia <no-reply@example.com>` in its parts. */
export interface Sender {
  name: string
  address: string
}

/** A mail as nodemailer takes it: it encodes headers and bodies, and reads neither files nor addresses for us. */
export function messageOf(mail: Mail, from: Sender, at: number): SendMailOptions {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  return {
    from,
    to: { name: '', address: mail.to },
    envelope: { from: from.address, to: [mail.to] },
    subject: mail.subject.replace(directionMarks, ''),
    text: mail.text,
    ...(mail.html === undefined ? {} : { html: mail.html }),
    messageId: `<${mail.id ?? randomUUID()}@${domain}>`,
    date: new Date(at),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(mail.unsubscribeUrl === undefined
        ? {}
        : {
            'List-Unsubscribe': { prepared: true, value: `<${mail.unsubscribeUrl}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
