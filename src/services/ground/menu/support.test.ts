import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { notices } from '../notices/contract.ts'
import { menu, menuErrors } from './contract.ts'
import { menuOperations } from './operations/contract.ts'

let stage: Stage
let person: Person
let operator: Person
beforeAll(async () => {
  stage = await openStage()
  person = await stage.person()
  operator = await stage.person({ staff: ['storeAdministrator', 'storeOperator'] })
})
afterAll(() => stage.close())

describe('support', () => {
  it('is asked for once a service, answered, and asked for again', async () => {
    const body = { serviceId: 'apps', contact: 'mira@example.com', description: 'Our release does not go on shelf.' }
    const { applyId, revision } = await person.ok(menu, 'applyForSupport', { body })
    const twice = await person.call(menu, 'applyForSupport', { body })
    expect([twice.status, twice.body.ret.code]).toEqual([409, menuErrors.alreadyApplied[0]])
    const answer = { action: 'accept' as const, answer: 'We are on it.', revision }
    const late = await operator.call(menuOperations, 'answerSupport', {
      params: { applyId },
      body: { ...answer, revision: 9 },
    })
    expect(late.status).toBe(409)
    expect(await operator.ok(menuOperations, 'answerSupport', { params: { applyId }, body: answer })).toMatchObject({
      state: 'accepted',
      answer: 'We are on it.',
    })
    expect((await operator.call(menuOperations, 'answerSupport', { params: { applyId }, body: answer })).status).toBe(
      422,
    )
    await person.ok(menu, 'applyForSupport', { body })
    expect(await person.ok(menu, 'listSupportApplications')).toMatchObject({ total: 2 })
    expect((await (await stage.person()).ok(menu, 'listSupportApplications')).total).toBe(0)
    expect(await person.ok(menu, 'listSupportApplications', { query: { state: 'accepted' } })).toMatchObject({
      total: 1,
      list: [{ title: { en: 'Apps' }, allowedActions: [] }],
    })
    const waiting = await operator.ok(menuOperations, 'listSupport', { query: { state: 'waiting' } })
    expect(waiting.list[0]).toMatchObject({
      teamId: person.teamId,
      teamName: expect.any(String),
      allowedActions: ['accept', 'decline'],
    })
  })

  it('is found by its words, its contact, its team and the service in any language', async () => {
    const asker = await stage.person()
    const body = { serviceId: 'webhooks', contact: 'lea@harbour.example', description: 'The 100% mark is never met.' }
    const { applyId } = await asker.ok(menu, 'applyForSupport', { body })
    const found = async (search: string) =>
      (await operator.ok(menuOperations, 'listSupport', { query: { search } })).list.map(one => one.applyId)
    const { list } = await operator.ok(menuOperations, 'listSupport', { query: { search: 'harbour' } })
    for (const word of ['100%', 'LEA@', 'Вебхуки', 'webhooks', list[0]?.teamName ?? '', asker.teamId]) {
      expect(await found(word), word).toContain(applyId)
    }
    expect(await found('100_')).toEqual([])
    expect(await found('nobody said this')).toEqual([])
  })

  it('keeps no contact of an account that was forgotten', async () => {
    const asker = await stage.person()
    const body = { serviceId: 'apps', contact: 'mira@example.com', description: 'Our release does not go on shelf.' }
    await asker.ok(menu, 'applyForSupport', { body })
    const { accountId } = asker
    const said = { type: 'session.account_forgotten', entity: 'account', entityId: accountId, data: { accountId } }
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test', scope: 'all' })
    await ctx.transact(async inner => inner.emit(said, 'CN'))
    await stage.settle()
    const { list } = await asker.ok(menu, 'listSupportApplications')
    expect(list.map(one => [one.contact, one.description])).toEqual([['', body.description]])
  })

  it('tells who asked what was answered', async () => {
    const asker = await stage.person()
    const body = { serviceId: 'apps', contact: 'mira@example.com', description: 'Our release does not go on shelf.' }
    const { applyId, revision } = await asker.ok(menu, 'applyForSupport', { body })
    const answer = { action: 'decline' as const, answer: 'The icon is missing.', revision }
    await operator.ok(menuOperations, 'answerSupport', { params: { applyId }, body: answer })
    await stage.settle()
    const { list } = await asker.ok(notices, 'listNotices')
    expect(list.map(one => [one.kind, one.href, one.text.en])).toEqual([
      ['support.declined', '/support', 'The icon is missing.\nYou can apply again.'],
    ])
  })

  it.each([
    ['/contact', { serviceId: 'apps', contact: 'nobody', description: 'long enough text' }],
    ['/description', { serviceId: 'apps', contact: 'a@b.cc', description: 'short' }],
    ['/extra', { serviceId: 'apps', contact: 'a@b.cc', description: 'long enough text', extra: 1 }],
  ])('with a wrong %s is 400 and asks for nothing', async (pointer, body) => {
    const reply = await person.call(menu, 'applyForSupport', { body: body as never })
    expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, pointer])
  })
})
