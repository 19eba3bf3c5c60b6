import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { KeptMail, KeptMails } from '../../../server/engines/mail/port.ts'
import type { Download } from '../../../server/implement.ts'
import type { Server } from '../../../server/server.ts'
import { notices as contract } from './contract.ts'

/** Mails hold links that sign people in: they are shown where the console is for this machine alone. */
function keptMails({ mail, config }: Server): KeptMails {
  if (mail.kept === null) refuse(contract.errors.mailsNotKept)
  const { hostname } = new URL(config.publicUrl)
  if (!/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) refuse(contract.errors.mailsNotShown)
  return mail.kept
}

export async function listKeptMails(server: Server, query: { cursor?: string; pageSize?: number }) {
  const size = query.pageSize ?? 20
  const { total, list } = await keptMails(server).list(size + 1, query.cursor)
  const shown = list.slice(0, size)
  return { total, list: shown, nextCursor: list.length > size ? (shown.at(-1)?.mailId ?? null) : null }
}

export async function readKeptMail(server: Server, mailId: string) {
  const { html, source, ...mail } = await mailOf(server, mailId)
  return { ...mail, hasHtml: html !== null, headers: headersOf(source) }
}

export async function htmlOfMail(server: Server, mailId: string): Promise<Download> {
  const { html } = await mailOf(server, mailId)
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox",
    },
    body: html ?? refuse(commonErrors.notFound, { entity: 'html of mail', id: mailId }),
  }
}

async function mailOf(server: Server, mailId: string): Promise<KeptMail & { source: string }> {
  return (await keptMails(server).read(mailId)) ?? refuse(commonErrors.notFound, { entity: 'mail', id: mailId })
}

/** The header fields as they stand in the source, folded lines joined. */
function headersOf(source: string): { name: string; value: string }[] {
  const head = source.slice(0, source.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  return head.split('\r\n').map(line => {
    const at = line.indexOf(':')
    return { name: line.slice(0, at), value: line.slice(at + 1).trim() }
  })
}
