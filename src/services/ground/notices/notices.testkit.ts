import { systemContext } from '../../../server/context.ts'
import type { Person, Stage } from '../../../testkit/stage.ts'
import { notices as contract } from './contract.ts'
import { notify } from './public.ts'

type To = Parameters<typeof notify>[1]['to']
type Wanted = Omit<Parameters<typeof notify>[1], 'to' | 'kind' | 'entityId' | 'title' | 'text'> & { title: string }

export const local = (text: string) => ({ zh: `${text}（中）`, en: text, ru: `${text} (по-русски)` })

/** What the tests of notices do over and over on a stage. */
export function noticeTools(stage: Stage) {
  const system = (zone: 'CN' | 'DE' = 'CN') => systemContext(stage.booted.server, zone, { name: 'test', scope: 'all' })
  return {
    system,
    /** Somebody with a mail address. */
    mailPerson: async (language: 'zh' | 'en' | 'ru'): Promise<Person> => {
      const person = await stage.person()
      await stage.sql('home', 'UPDATE accounts SET email = $2, language = $3, name = $4 WHERE account_id = $1', [
        person.accountId,
        `${person.loginName}@team.example`,
        language,
        'Li Na',
      ])
      return person
    },
    tell: async (to: To, { title, ...more }: Wanted): Promise<void> => {
      const words = { title: local(title), text: local(`${title}: the text`) }
      await system().transact(ctx => notify(ctx, { to, kind: 'test.told', entityId: '1', ...words, ...more }))
    },
    mailsTo: async (person: Person) =>
      (await stage.mails()).filter(mail => mail.to === `${person.loginName}@team.example`),
    choose: async (person: Person, change: Record<string, unknown>): Promise<void> => {
      const { digest, digestAt, timeZone, revision } = await person.ok(contract, 'getSettings')
      const body = { settings: [], digest, digestAt, timeZone, revision, ...change }
      await person.ok(contract, 'putSettings', { body: body as never })
    },
    /** After the clock was turned by days: sessions are over. */
    signInAgain: async (person: Person): Promise<void> => {
      const payload = { account: person.loginName, password: person.password }
      const reply = await stage.app.inject({ method: 'POST', url: '/oauth2/v1/login', payload })
      person.cookie = reply.cookies.map(one => `${one.name}=${encodeURIComponent(one.value)}`).join('; ')
      person.csrfToken = reply.json().csrfToken
    },
  }
}
