import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { notices as contract } from './contract.ts'
import { noticeTools } from './notices.testkit.ts'

let stage: Stage
let tools: ReturnType<typeof noticeTools>
beforeAll(async () => {
  stage = await openStage()
  tools = noticeTools(stage)
})
afterAll(() => stage.close())

const emit = (type: string, data: Record<string, unknown>, more: { entity?: string; teamId?: string } = {}) =>
  tools.system().transact(async ctx => {
    const { entity = 'account', teamId } = more
    ctx.emit({ type, entity, entityId: '1', ...(teamId ? { teamId } : {}), data }, 'home')
  })

const inbox = async (person: Person) => (await person.ok(contract, 'listNotices', { query: { pageSize: 100 } })).list

describe('what happens to an account', () => {
  it.each([
    ['session.replayed', {}, 'A session was ended for safety'],
    ['session.email_changed', {}, 'Your e-mail address was changed'],
    ['session.identity_linked', {}, 'Another way to sign in was linked'],
    ['session.deletion_asked', {}, 'Your account is to be deleted'],
    ['session.deletion_cancelled', {}, 'Your account stays'],
    ['session.status_changed', { from: 2, to: 1 }, 'Your account is open again'],
    ['session.status_changed', { from: 1, to: 2 }, 'Your account was locked'],
    ['session.status_changed', { from: 1, to: 4 }, 'Your account was frozen'],
    ['session.real_name_changed', { from: 1, to: 2 }, 'Your identity was verified'],
    ['session.real_name_changed', { from: 1, to: 3 }, 'Your identity was verified'],
    ['session.real_name_changed', { from: 1, to: 4, reason: 'Blurred.' }, 'Your identity was not verified'],
    ['session.real_name_changed', { from: 2, to: 5 }, 'Your identity document has expired'],
  ])('is told in the inbox and by mail, whatever was turned off: %s %o', async (type, data, title) => {
    const person = await tools.mailPerson('en')
    await emit(type, { accountId: person.accountId, ...data })
    await stage.settle()
    const told = await inbox(person)
    expect(told.map(one => [one.kind, one.category, one.title.en])).toEqual([[type, 'security', title]])
    expect(told.every(one => one.title.zh && one.title.ru && one.text.zh && one.text.ru)).toBe(true)
    const mails = await tools.mailsTo(person)
    expect(mails.map(mail => mail.subject)).toEqual([title])
    if ('reason' in data) expect(mails[0]?.text).toContain('Blurred.')
  })

  it('says nothing of what the person did himself a moment ago', async () => {
    const person = await tools.mailPerson('en')
    await emit('session.real_name_changed', { accountId: person.accountId, from: 0, to: 1 })
    await emit('session.status_changed', { accountId: person.accountId, from: 1, to: 6 })
    await stage.settle()
    expect(await inbox(person)).toEqual([])
  })

  it.each([
    ['support.accepted', 'Ваша заявка на поддержку принята'],
    ['support.declined', 'Ваша заявка на поддержку отклонена'],
  ])('an application that is decided is told to who made it: %s', async (type, title) => {
    const person = await tools.mailPerson('ru')
    await emit(type, { accountId: person.accountId, serviceId: 'x' })
    await stage.settle()
    expect((await inbox(person)).map(one => [one.category, one.title.ru])).toEqual([['operations', title]])
    expect((await tools.mailsTo(person)).map(mail => mail.subject)).toEqual([title])
  })
})

describe('what happens between a team and its service provider', () => {
  it('is told to those who look after providers, on both sides, but not to who did it', async () => {
    const [client, provider] = [await tools.mailPerson('en'), await tools.mailPerson('en')]
    const developer = await stage.person({ team: provider.teamId, roles: ['developer'] })
    const [one, two] = [client.teamId, provider.teamId]
    const of = { entity: 'provider_binding' }
    await emit('team.provider_invited', { teamId: two, clientTeamId: one }, { ...of, teamId: two })
    await emit('team.provider_bound', { teamId: one, spId: two }, { ...of, teamId: one })
    await emit('team.provider_declined', { teamId: one, spId: two }, { ...of, teamId: one })
    await emit('team.provider_ended', { teamId: one, spId: two }, { ...of, teamId: one })
    await stage.settle()
    const kinds = async (person: Person) =>
      (await inbox(person))
        .map(notice => notice.kind)
        .filter(isOfProvider)
        .sort()
    const both = ['team.provider_bound', 'team.provider_declined', 'team.provider_ended']
    expect(await kinds(client)).toEqual(both)
    expect(await kinds(provider)).toEqual([...both, 'team.provider_invited'])
    expect(await kinds(developer)).toEqual([])
    const asked = (await inbox(provider)).find(notice => notice.kind === 'team.provider_invited')
    expect([asked?.href, asked?.teamId]).toEqual(['/team/providers', two])
    expect((await tools.mailsTo(provider)).some(mail => mail.subject.includes('asks you to serve it'))).toBe(true)
  })

  const isOfProvider = (kind: string) => kind.startsWith('team.provider')
})
