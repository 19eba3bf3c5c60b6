import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { realNameCalls } from './contract.ts'

let stage: Stage
let staff: Person
beforeAll(async () => {
  stage = await openStage()
  staff = await stage.person({ staff: ['seniorReviewer'] })
})
afterAll(() => stage.close())

const individual = {
  fullName: 'Mira Olsen',
  country: 'DE',
  documentType: 'passport' as const,
  documentNumber: 'C01X00T47',
}
const enterprise = {
  companyName: 'Beacon GmbH',
  country: 'DE',
  registrationNumber: 'HRB 123456',
  representative: 'Mira Olsen',
  address: 'Hafenstr. 1, Hamburg',
}

const submit = (person: Person, more: object = {}) =>
  person.call(realNameCalls, 'submitRealName', {
    body: { kind: 'individual', individual, revision: 0, ...more } as never,
  })

const decide = (who: Person, person: Person, body: object) =>
  who.call(realNameCalls, 'decideRealName', { params: { accountId: person.accountId }, body: body as never })

describe('a real name', () => {
  it('goes from none over review to passed, and is kept sealed', async () => {
    const person = await stage.person()
    expect(await person.ok(realNameCalls, 'getRealName')).toMatchObject({ state: 0, allowedActions: ['submit'] })
    const { body } = await submit(person)
    expect(body).toMatchObject({ state: 1, allowedActions: ['withdraw'], individual: { documentNumber: '•••••0T47' } })
    const rows = await stage.sql('home', 'SELECT * FROM real_names')
    expect(JSON.stringify(rows)).not.toMatch(/Mira|C01X/)
    const { list } = await staff.ok(realNameCalls, 'listRealNames', { query: { search: person.loginName } })
    expect(list).toMatchObject([{ accountId: person.accountId, kind: 'individual', state: 1 }])
    const file = await staff.ok(realNameCalls, 'readRealName', { params: { accountId: person.accountId } })
    expect(file).toMatchObject({ individual, allowedActions: ['decide'] })
    const passed = await decide(staff, person, { verdict: 'pass', revision: file.revision })
    expect(passed.body).toMatchObject({ state: 2, allowedActions: [] })
    const [account] = await stage.sql('home', 'SELECT verify_real_state AS state FROM accounts WHERE account_id = $1', [
      person.accountId,
    ])
    expect(account).toEqual({ state: 2 })
    const read = await stage.sql('home', `SELECT FROM audit WHERE action = 'realName.read' AND entity_id = $1`, [
      person.accountId,
    ])
    expect(read).toHaveLength(1)
  })

  it('is refused with a reason and may be handed in again', async () => {
    const person = await stage.person()
    const { body } = await submit(person)
    const silent = await decide(staff, person, { verdict: 'refuse', revision: body.revision })
    expect(silent.body.fields).toMatchObject([{ pointer: '/reason' }])
    await decide(staff, person, { verdict: 'refuse', reason: 'The number cannot be read', revision: body.revision })
    const mine = await person.ok(realNameCalls, 'getRealName')
    expect(mine).toMatchObject({ state: 4, reason: 'The number cannot be read', allowedActions: ['submit'] })
    const again = await submit(person, {
      kind: 'enterprise',
      individual: undefined,
      enterprise,
      revision: mine.revision,
    })
    expect(again.body).toMatchObject({ state: 1, kind: 'enterprise', reason: null, individual: null })
    const passed = await decide(staff, person, { verdict: 'pass', revision: again.body.revision })
    expect(passed.body.state).toBe(3)
  })

  it('ends with the document', async () => {
    const person = await stage.person()
    const documentEndsAt = stage.clock.now() + 86_400_000
    const { body } = await submit(person, { documentEndsAt })
    await decide(staff, person, { verdict: 'pass', revision: body.revision })
    await stage.booted.worker.sweep()
    expect(await person.ok(realNameCalls, 'getRealName')).toMatchObject({ state: 2, expiresAt: documentEndsAt })
    await stage.sql('home', 'UPDATE real_names SET expires_at = $1 WHERE account_id = $2', [
      stage.clock.now() - 1,
      person.accountId,
    ])
    await stage.booted.worker.sweep()
    expect(await person.ok(realNameCalls, 'getRealName')).toMatchObject({ state: 5, allowedActions: ['submit'] })
  })

  it('is withdrawn before a decision, and its details are gone', async () => {
    const person = await stage.person()
    const { body } = await submit(person)
    expect(await person.ok(realNameCalls, 'withdrawRealName')).toMatchObject({ state: 0, kind: null, individual: null })
    const late = await decide(staff, person, { verdict: 'pass', revision: body.revision })
    expect(late.status).toBe(404)
    expect((await person.call(realNameCalls, 'withdrawRealName')).status).toBe(422)
  })

  it('is not decided about by oneself, twice, by who may not, or on old facts', async () => {
    const person = await stage.person()
    const senior = await stage.person({ staff: ['seniorReviewer'] })
    const own = await submit(senior)
    expect((await decide(senior, senior, { verdict: 'pass', revision: own.body.revision })).status).toBe(403)
    const { body } = await submit(person)
    const plain = await stage.person({ staff: ['reviewer'] })
    expect((await decide(plain, person, { verdict: 'pass', revision: body.revision })).status).toBe(403)
    expect((await decide(staff, person, { verdict: 'pass', revision: body.revision + 1 })).status).toBe(409)
    const verdicts = await Promise.all(
      Array.from({ length: 10 }, () =>
        decide(staff, person, { verdict: 'pass', revision: body.revision }).then(one => one.status),
      ),
    )
    expect(verdicts.filter(status => status === 200)).toHaveLength(1)
  })

  it('is handed in once by several at the same moment', async () => {
    const person = await stage.person()
    const statuses = await Promise.all(Array.from({ length: 10 }, () => submit(person).then(one => one.status)))
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
  })

  it.each([
    ['without its part', { individual: undefined }, '/individual'],
    ['of a document that has ended', { documentEndsAt: 1 }, '/documentEndsAt'],
    ['with a state of its own', { state: 2 }, '/state'],
  ])('%s is refused', async (_name, more, pointer) => {
    const reply = await submit(await stage.person(), more)
    expect(reply.body.fields).toMatchObject([{ pointer }])
  })
})
