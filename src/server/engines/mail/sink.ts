import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import type { Clock } from '../../clock.ts'
import { messageOf, type Sender } from './message.ts'
import { checkMail, type KeptMail, type KeptMails, type Mail, type MailEngine } from './port.ts'

const keptAtMost = 500
const nameOfMail = /^\d{15}-\d{6}-[0-9a-f]{8}$/

/**
 * Keeps mails as `.eml` files instead of sending them, with what a list needs beside each. A mail is there when its
 * second file is; the oldest go when there are more than 500.
 */
export class MailSink implements MailEngine, KeptMails {
  readonly name = 'sink'
  readonly kept: KeptMails = this
  readonly #folder: string
  readonly #from: Sender
  readonly #clock: Clock
  #sent = 0
  readonly #composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

  constructor(folder: string, from: Sender, clock: Clock) {
    this.#folder = folder
    this.#from = from
    this.#clock = clock
  }

  async send(mail: Mail): Promise<void> {
    checkMail(mail)
    const sentAt = this.#clock.now()
    const { message } = await this.#composer.sendMail(messageOf(mail, this.#from, sentAt))
    const mailId = this.#nextId(sentAt)
    const { to, subject, text, html = null } = mail
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await this.#write(`${mailId}.eml`, message as Buffer)
    await this.#write(`${mailId}.json`, JSON.stringify({ mailId, to, subject, text, html, sentAt } satisfies KeptMail))
    for (const old of (await this.#names()).slice(keptAtMost)) await this.#drop(old)
  }

  async list(limit: number, before?: string): Promise<{ total: number; list: KeptMail[] }> {
    const names = await this.#names()
    const wanted = names.filter(name => before === undefined || name < before).slice(0, limit)
    const list = await Promise.all(wanted.map(name => this.#facts(name)))
    return { total: names.length, list: list.filter(one => one !== null) }
  }

  async read(mailId: string): Promise<(KeptMail & { source: string }) | null> {
    if (!nameOfMail.test(mailId)) return null
    const facts = await this.#facts(mailId)
    return facts && { ...facts, source: await readFile(path.join(this.#folder, `${mailId}.eml`), 'utf8') }
  }

  async forget(words: readonly string[]): Promise<void> {
    const wanted = words.map(word => word.toLowerCase()).filter(word => word !== '')
    for (const mailId of await this.#names()) {
      const facts = await this.#facts(mailId)
      const said = facts ? `${facts.to}\n${facts.subject}\n${facts.text}`.toLowerCase() : ''
      if (wanted.some(word => said.includes(word))) await this.#drop(mailId)
    }
  }

  async close(): Promise<void> {
    this.#composer.close()
  }

  /** Sorts by time and, on one process, by turn. */
  #nextId(sentAt: number): string {
    const turn = this.#sent++ % 1_000_000
    return `${String(sentAt).padStart(15, '0')}-${String(turn).padStart(6, '0')}-${randomBytes(4).toString('hex')}`
  }

  async #names(): Promise<string[]> {
    const files = await readdir(this.#folder).catch(() => [])
    const names = files.filter(file => file.endsWith('.json')).map(file => file.slice(0, -'.json'.length))
    return names.sort().reverse()
  }

  async #facts(mailId: string): Promise<KeptMail | null> {
    const text = await readFile(path.join(this.#folder, `${mailId}.json`), 'utf8').catch(() => null)
    return text === null ? null : (JSON.parse(text) as KeptMail)
  }

  async #write(name: string, content: Buffer | string): Promise<void> {
    const target = path.join(this.#folder, name)
    await writeFile(`${target}.part`, content, { mode: 0o600 })
    await rename(`${target}.part`, target)
  }

  async #drop(mailId: string): Promise<void> {
    for (const ending of ['json', 'eml']) await rm(path.join(this.#folder, `${mailId}.${ending}`), { force: true })
  }
}
