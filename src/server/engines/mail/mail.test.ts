import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock, TurnableClock } from '../../clock.ts'
import { readConfig } from '../../config.ts'
import { engineTable } from '../found.ts'
import { openMail } from './open.ts'
import { BadMail, type KeptMails, type Mail, type MailEngine } from './port.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-mail-'))
const received: { to: string[]; source: string }[] = []
let refusal: { responseCode: number } | null = null
const mailbox = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onAuth: ({ username, password }, _session, done) =>
    username === 'loggia' && password === 'p@ss word' ? done(null, { user: username }) : done(new Error('no')),
  onData: async (stream, session, done) => {
    const source = Buffer.concat(await stream.toArray()).toString('utf8')
    if (refusal) return done(Object.assign(new Error('not now'), refusal))
    received.push({ to: session.envelope.rcptTo.map(one => one.address), source })
    done()
  },
})
let port = 0

beforeAll(async () => {
  await new Promise<void>(resolve => mailbox.listen(0, '127.0.0.1', resolve))
  port = (mailbox.server.address() as { port: number }).port
})
afterAll(async () => {
  await new Promise<void>(resolve => mailbox.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

const configWith = (smtp?: string) => ({
  ...readConfig({ LOGGIA_MAIL_FROM: 'Loggia 控制台 <no-reply@loggia.example>' }),
  dataDir: folder,
  ...(smtp === undefined ? {} : { smtp }),
})

const engines: [string, () => MailEngine, () => Promise<string[]>][] = [
  [
    'smtp',
    () => openMail(configWith(`smtp://loggia:p%40ss%20word@127.0.0.1:${port}`), systemClock),
    async () => received.map(one => one.source),
  ],
  [
    'sink',
    () => openMail(configWith(), systemClock),
    async () => {
      const names = (await readdir(path.join(folder, 'mail'))).filter(name => name.endsWith('.eml')).sort()
      return Promise.all(names.map(name => readFile(path.join(folder, 'mail', name), 'utf8')))
    },
  ],
]

const mail: Mail = { to: 'li.na@team.example', subject: 'Version 2.0 is on the shelf', text: 'Hello' }

describe.each(engines)('a mail by %s', (_name, open, sources) => {
  let engine: MailEngine
  beforeAll(() => {
    engine = open()
  })
  afterAll(() => engine.close())

  async function sent(one: Mail): Promise<Email> {
    await engine.send(one)
    return PostalMime.parse((await sources()).at(-1) ?? '')
  }

  it('arrives as it was written, in every script, as text and as html', async () => {
    const subject = `审核已通过：Прогулка 👩🏽‍💻 ${'длинная тема '.repeat(20)}`.trim()
    const text = `Здравствуйте, 李娜!\n.\nA line of ${'many '.repeat(400)}words\n\n-- \nLoggia`
    const html = '<p>Здравствуйте, 李娜 &amp; all</p>'
    const got = await sent({ ...mail, subject, text, html })
    expect(got.subject).toBe(subject)
    expect(got.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(text)
    expect(got.html?.trim()).toBe(html)
    expect(got.from).toMatchObject({ name: 'Loggia 控制台', address: 'no-reply@loggia.example' })
    expect(got.to).toEqual([expect.objectContaining({ address: 'li.na@team.example' })])
    expect(Date.parse(got.date ?? '')).toBeGreaterThan(Date.now() - 60_000)
  })

  it('sent again by the same id has the same Message-ID', async () => {
    const first = await sent({ ...mail, id: 'digest.1.20260301' })
    const second = await sent({ ...mail, id: 'digest.1.20260301' })
    expect(first.messageId).toBe('<digest.1.20260301@loggia.example>')
    expect(second.messageId).toBe(first.messageId)
    expect((await sent(mail)).messageId).not.toBe((await sent(mail)).messageId)
  })

  it('says how one request ends it, and that no person wrote it', async () => {
    const unsubscribeUrl = `https://loggia.example/notice/unsubscribe?t=${'a'.repeat(200)}`
    const got = await sent({ ...mail, unsubscribeUrl })
    const headerOf = (key: string) => got.headers.find(header => header.key === key)?.value.replace(/\s/g, '')
    expect(headerOf('list-unsubscribe')).toBe(`<${unsubscribeUrl}>`)
    expect(headerOf('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(headerOf('auto-submitted')).toBe('auto-generated')
  })

  it.each([
    ['a second recipient', { to: 'a@b.example, c@d.example' }],
    ['a name', { to: 'Somebody <a@b.example>' }],
    ['a group', { to: 'all:a@b.example;' }],
    ['a line break in the address', { to: 'a@b.example\r\nBcc: c@d.example' }],
    ['a bare line feed in the address', { to: 'a@b.example\nBcc: c@d.example' }],
    ['an option for the mail server', { to: '<a@b.example> ORCPT=rfc822;c' }],
    ['a route', { to: '@relay.example:a@b.example' }],
    ['no address', { to: 'nobody' }],
    ['a line break in the subject', { subject: 'Hello\r\nBcc: c@d.example' }],
    ['a bare carriage return in the subject', { subject: 'Hello\rBcc: c@d.example' }],
    ['a Unicode line break in the subject', { subject: 'Hello\u2028Bcc: c@d.example' }],
    ['a NUL in the subject', { subject: 'Hello\0' }],
    ['a line break in the id', { id: 'a\r\nBcc: c@d.example' }],
    ['a line break in the address for unsubscribing', { unsubscribeUrl: 'https://x.example/\r\nBcc: c@d.example' }],
    ['megabytes of text', { text: 'x'.repeat(1_000_001) }],
  ])('with %s is refused and nothing goes out', async (_what, change) => {
    const before = (await sources().catch(() => [])).length
    await expect(engine.send({ ...mail, ...change })).rejects.toThrow(BadMail)
    expect(await sources().catch(() => [])).toHaveLength(before)
  })

  it('does not turn the direction of its subject', async () => {
    expect((await sent({ ...mail, subject: 'From \u202emoc.live\u202c now' })).subject).toBe('From moc.live now')
  })
})

describe('smtp', () => {
  it('gives a mail to one recipient only', () => {
    expect(received.length).toBeGreaterThan(0)
    for (const one of received) expect(one.to).toHaveLength(1)
  })

  it('says that the mail server refused, without the password', async () => {
    const engine = openMail(configWith(`smtp://loggia:p%40ss%20word@127.0.0.1:${port}`), systemClock)
    refusal = { responseCode: 451 }
    const error = await engine.send(mail).catch((caught: Error) => caught)
    refusal = null
    expect(String(error)).toContain('not now')
    expect(String(error)).not.toContain('p@ss')
    expect(error).not.toBeInstanceOf(BadMail)
    await engine.close()
  })

  it('is refused a configuration that it cannot use, without the password', () => {
    for (const smtp of ['http://mail.example', 'mail.example:25', 'smtp://', 'ftp://user:secret@host']) {
      expect(() => openMail(configWith(smtp), systemClock)).toThrow(/^LOGGIA_SMTP(?!.*secret)/)
    }
    const mailFrom = 'a@b.example\r\nBcc: c@d.example'
    expect(() => openMail({ ...configWith(), mailFrom }, systemClock)).toThrow('LOGGIA_MAIL_FROM')
  })

  it('is named in the table of engines, with its host alone', async () => {
    const rows = await engineTable(configWith('smtp://loggia:secret@mail.example:2525'), true)
    expect(rows).toContainEqual(['mail', 'found', 'SMTP over mail.example:2525'])
    const without = await engineTable(configWith(), true)
    expect(without.find(row => row[0] === 'mail')?.[1]).toBe('sink')
  })
})

describe('the sink', () => {
  it('lists what it kept, the newest first and in pages, and shows the source', async () => {
    const clock = new TurnableClock()
    const config = { ...configWith(), dataDir: path.join(folder, 'listed') }
    const sink = openMail(config, clock)
    const kept = sink.kept as KeptMails
    expect(await kept.list(10)).toEqual({ total: 0, list: [] })
    for (const at of [1, 2, 3]) {
      await sink.send({ ...mail, subject: `mail ${at}`, html: `<b>${at}</b>` })
      clock.turn(1000)
    }
    const first = await kept.list(2)
    expect([first.total, first.list.map(one => one.subject)]).toEqual([3, ['mail 3', 'mail 2']])
    const second = await kept.list(2, first.list[1]?.mailId)
    expect(second.list).toMatchObject([{ to: mail.to, subject: 'mail 1', text: 'Hello', html: '<b>1</b>' }])
    expect((await kept.read(second.list[0]?.mailId ?? ''))?.source).toMatch(/\r\nTo: li\.na@team\.example\r\n/)
  })

  it('gives no other file', async () => {
    const { kept } = openMail({ ...configWith(), dataDir: path.join(folder, 'listed') }, systemClock)
    for (const mailId of ['../master', '..%2fmaster', '', 'x'.repeat(300), '000001700000000-000000-00000000']) {
      expect(await kept?.read(mailId)).toBeNull()
    }
  })

  it('keeps the newest 500', async () => {
    const sink = openMail({ ...configWith(), dataDir: path.join(folder, 'full') }, systemClock)
    for (let at = 0; at < 503; at++) await sink.send({ ...mail, subject: `mail ${at}` })
    const { total, list } = (await sink.kept?.list(1000)) ?? { total: 0, list: [] }
    expect([total, list[0]?.subject, list.at(-1)?.subject]).toEqual([500, 'mail 502', 'mail 3'])
    expect(await readdir(path.join(folder, 'full', 'mail'))).toHaveLength(1000)
  }, 30_000)
})
