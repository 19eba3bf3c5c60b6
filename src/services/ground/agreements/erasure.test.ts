import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../testkit/stage.ts'
import { deletionCalls } from '../session/deletion/contract.ts'
import { digest, Publisher, readAndAgree } from './agreements.testkit.ts'
import { consents } from './consents/contract.ts'
import { agreements } from './contract.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

describe('when an account is erased', () => {
  it('that its number agreed to which text and when stays; from where goes', async () => {
    const publisher = await Publisher.on(stage)
    const team = await stage.person()
    const person = await stage.person({ team: team.teamId, roles: ['developer'] })
    const key = await publisher.kind({ isRequired: false })
    await publisher.publish(key, 'Terms')
    await person.ok(agreements, 'sign', { body: { signInfo: [await readAndAgree(person, key)] } })
    await person.ok(consents, 'signConsents', { body: { consents: [{ purpose: 'ANALYTICS', isAgree: true }] } })
    const rows = (table: string) =>
      stage.sql<Record<string, unknown>>('home', `SELECT * FROM ${table} WHERE account_id = $1`, [person.accountId])
    expect((await rows('agreement_signs'))[0]).toMatchObject({ ip: '127.0.0.1', method: 'api' })
    await person.ok(deletionCalls, 'askDeletion')
    stage.clock.turn(31 * 86_400_000)
    await stage.booted.worker.sweep()
    await stage.settle()
    expect((await rows('agreement_signs'))[0]).toMatchObject({
      account_id: person.accountId,
      body_hash: digest('Terms'),
      is_agree: true,
      ip: null,
      user_agent: null,
    })
    expect((await rows('consents'))[0]).toMatchObject({ is_agree: true, ip: null, user_agent: null })
  })
})
