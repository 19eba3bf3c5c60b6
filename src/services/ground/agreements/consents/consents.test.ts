import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { notices } from '../../notices/contract.ts'
import { notify } from '../../notices/public.ts'
import { hasConsent } from '../public.ts'
import { type ConsentPurpose, consentPurposes } from '../rules.ts'
import { consents } from './contract.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const say = (person: Person, purpose: ConsentPurpose, isAgree: boolean) =>
  person.ok(consents, 'signConsents', { body: { consents: [{ purpose, isAgree }] } })
const asked = (person: Person, purpose: ConsentPurpose) =>
  systemContext(stage.booted.server, 'CN', { name: 'test' }).transact(ctx => hasConsent(ctx, person.accountId, purpose))

describe('consent', () => {
  it('is nothing until it is given, and holds for its purpose alone', async () => {
    const person = await stage.person()
    const before = await person.ok(consents, 'queryConsents', { body: {} })
    expect(before.consents.map(one => [one.purpose, one.isAgree])).toEqual(consentPurposes.map(one => [one, false]))
    await say(person, 'LOCATION', true)
    expect(await Promise.all(consentPurposes.map(one => asked(person, one)))).toEqual(
      consentPurposes.map(one => one === 'LOCATION'),
    )
  })

  it('is a record for each change, and none where nothing changes', async () => {
    const person = await stage.person()
    for (const isAgree of [false, true, true, false, true]) await say(person, 'PROFILE', isAgree)
    const { list } = await person.ok(consents, 'listConsents', { query: { purpose: 'PROFILE' } })
    expect(list.map(one => one.isAgree)).toEqual([true, false, true])
    expect(await asked(person, 'PROFILE')).toBe(true)
  })

  it('is all or nothing and refuses a purpose twice', async () => {
    const person = await stage.person()
    const twice = ['ANALYTICS', 'ANALYTICS'].map(purpose => ({ purpose: purpose as ConsentPurpose, isAgree: true }))
    expect((await person.call(consents, 'signConsents', { body: { consents: twice } })).status).toBe(400)
    const forged = [{ purpose: 'EVERYTHING' as ConsentPurpose, isAgree: true }]
    expect((await person.call(consents, 'signConsents', { body: { consents: forged } })).status).toBe(400)
    expect((await person.ok(consents, 'listConsents')).total).toBe(0)
  })

  it('to mails is asked when a mail of marketing goes out, not when it was queued', async () => {
    const [yes, never, changed] = [await stage.person(), await stage.person(), await stage.person()]
    const people = [yes, never, changed]
    for (const person of people) {
      await stage.sql('home', `UPDATE accounts SET email = $1 WHERE account_id = $2`, [
        `${person.loginName}@example.com`,
        person.accountId,
      ])
      const { digest, digestAt, timeZone, revision } = await person.ok(notices, 'getSettings')
      const settings = [{ category: 'marketing' as const, channel: 'email' as const, enabled: true }]
      await person.ok(notices, 'putSettings', {
        body: { settings, digest, digestAt, timeZone, revision: Math.max(1, revision) },
      })
    }
    await say(yes, 'EMAIL_MARKETING', true)
    await say(changed, 'EMAIL_MARKETING', true)
    await say(changed, 'EMAIL_MARKETING', false)
    const words = { zh: '新品', en: 'News', ru: 'Новости' }
    await systemContext(stage.booted.server, 'CN', { name: 'test' }).transact(ctx =>
      notify(ctx, {
        to: { accountIds: people.map(one => one.accountId) },
        category: 'marketing',
        kind: 'test.news',
        title: words,
        text: words,
        entityId: '1',
      }),
    )
    await stage.settle()
    const to = (await stage.mails()).map(mail => mail.to)
    expect(people.map(one => to.includes(`${one.loginName}@example.com`))).toEqual([true, false, false])
  })
})
