import { createHash } from 'node:crypto'
import type { Input } from '../../../kernel/contract.ts'
import type { Person, Stage } from '../../../testkit/stage.ts'
import { agreements } from './contract.ts'
import { agreementDocuments } from './documents/contract.ts'
import { everywhere } from './rules.ts'

export const digest = (body: string) => createHash('sha256').update(body).digest('hex')

type KindBody = Input<typeof agreementDocuments.calls.setKind>['body']
type Settings = Omit<Input<typeof agreementDocuments.calls.updateDocument>['body'], 'revision'>

let lastType = 0

/** Writes and publishes documents as staff does. */
export class Publisher {
  readonly staff: Person

  constructor(staff: Person) {
    this.staff = staff
  }

  static async on(stage: Stage): Promise<Publisher> {
    return new Publisher(await stage.person({ staff: ['storeAdministrator'] }))
  }

  /** A kind of its own for each test. */
  async kind(wanted: Partial<KindBody> = {}): Promise<{ agrType: number; branchId: number }> {
    const name = { zh: '用户协议', en: 'User agreement', ru: 'Соглашение' }
    const key = { agrType: ++lastType, branchId: 0 }
    await this.staff.ok(agreementDocuments, 'setKind', {
      body: {
        ...key,
        name,
        signer: 'person',
        isRequired: true,
        isWithdrawable: true,
        permissions: [],
        revision: 0,
        ...wanted,
      },
    })
    return key
  }

  /** A version with a text in English, and in what other languages are given. */
  async draft(
    of: { agrType: number; branchId: number; country?: string },
    body: string,
    settings: Partial<Settings> = {},
    others: Record<string, string> = {},
  ) {
    const { agrType, branchId, country = everywhere } = of
    const made = await this.staff.ok(agreementDocuments, 'createDocument', { body: { agrType, branchId, country } })
    const params = { documentId: made.documentId }
    let { revision } = made
    for (const [language, text] of Object.entries({ enUS: body, ...others })) {
      const written = await this.staff.ok(agreementDocuments, 'writeText', {
        params,
        body: { language, title: `The terms in ${language}`, body: text, revision },
      })
      revision = written.revision
    }
    const { revision: last } = await this.staff.ok(agreementDocuments, 'updateDocument', {
      params,
      body: { effectiveAt: null, graceDays: 0, requireResign: true, ...settings, revision },
    })
    return { ...params, version: made.version, revision: last }
  }

  async publish(
    of: { agrType: number; branchId: number; country?: string },
    body: string,
    settings: Partial<Settings> = {},
    others: Record<string, string> = {},
  ) {
    const { documentId, revision, version } = await this.draft(of, body, settings, others)
    await this.staff.ok(agreementDocuments, 'actOnDocument', {
      params: { documentId },
      body: { action: 'publish', revision },
    })
    return { documentId, version, revision: revision + 1 }
  }

  /** So that no test hinders the next one. */
  async relax(): Promise<void> {
    const { list } = await this.staff.ok(agreementDocuments, 'listKinds')
    for (const { updatedAt: _at, ...body } of list.filter(one => one.isRequired))
      await this.staff.ok(agreementDocuments, 'setKind', { body: { ...body, isRequired: false } })
  }
}

/** The same person with a new session: the clock was turned further than one lasts. */
export async function signInAgain(stage: Stage, person: Person): Promise<Person> {
  const payload = { account: person.loginName, password: person.password }
  const reply = await stage.app.inject({ method: 'POST', url: '/oauth2/v1/login', payload })
  const cookie = reply.cookies.map(one => `${one.name}=${encodeURIComponent(one.value)}`).join('; ')
  return stage.at(stage.booted, { ...person, cookie, csrfToken: reply.json().csrfToken })
}

/** What somebody sends who read the text in force. */
export async function readAndAgree(person: Person, key: { agrType: number; branchId: number }, language = 'enUS') {
  const read = await person.ok(agreements, 'templateInfo', { query: { ...key, language } })
  const { country, version, bodyHash } = read
  return { ...key, country, language: read.language, version, isAgree: true, bodyHash }
}
