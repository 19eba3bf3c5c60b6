import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { notices as contract } from './contract.ts'
import { sendDigest } from './mailing.ts'
import { noticeTools } from './notices.testkit.ts'

let stage: Stage
let tools: ReturnType<typeof noticeTools>
let li: Person
beforeAll(async () => {
  stage = await openStage()
  tools = noticeTools(stage)
  li = await tools.mailPerson('en')
})
afterAll(() => stage.close())

const day = 86_400_000

describe('a digest', () => {
  let person: Person
  const sweep = async () => {
    await Promise.all([stage.booted.worker.sweep(), stage.booted.worker.sweep()])
    await stage.settle()
  }
  const digestsOf = async () =>
    (await tools.mailsTo(person)).filter(mail => mail.subject.startsWith('Your daily digest'))

  it('collects what may wait, and comes once at its time, whoever looks', async () => {
    person = await tools.mailPerson('en')
    await tools.choose(person, { digest: 'daily', digestAt: '09:00', timeZone: 'Europe/Berlin' })
    await tools.tell({ accountIds: [person.accountId] }, { category: 'review', title: 'Waits', href: '/apps/1' })
    await tools.tell({ accountIds: [person.accountId] }, { category: 'operations', title: 'Waits too' })
    await tools.tell({ accountIds: [person.accountId] }, { category: 'security', title: 'Does not wait' })
    await sweep()
    expect((await tools.mailsTo(person)).map(mail => mail.subject)).toEqual(['Does not wait'])
    stage.clock.turn(day)
    await sweep()
    await sweep()
    const [digest, ...more] = await digestsOf()
    expect([digest?.subject, more]).toEqual(['Your daily digest: 2 new notices', []])
    expect(digest?.text).toMatch(/== Operations ==[\s\S]*Waits too[\s\S]*== Review ==[\s\S]*Waits[\s\S]*#\/apps\/1/)
    expect(digest?.text).not.toContain('Does not wait')
  })

  it('does not come when there is nothing new or everything was read', async () => {
    stage.clock.turn(day)
    await sweep()
    await tools.tell({ accountIds: [person.accountId] }, { category: 'review', title: 'Read before' })
    await tools.signInAgain(person)
    await person.ok(contract, 'markAllRead', { body: {} })
    stage.clock.turn(day)
    await sweep()
    expect(await digestsOf()).toHaveLength(1)
  })

  it('that was being sent when its process died is not sent again; what it held comes with the next', async () => {
    await tools.tell({ accountIds: [person.accountId] }, { category: 'review', title: 'In the crash' })
    const [row] = await stage.sql<{ digest_id: string }>(
      'CN',
      `WITH made AS (INSERT INTO notice_digests (digest_id, account_id, period, state, created_at)
         VALUES (4242, $1, 'daily crash', 'sending', 0) RETURNING digest_id)
       UPDATE notices SET mail = 'digested', digest_id = 4242 WHERE account_id = $1 AND mail = 'digest' RETURNING digest_id`,
      [person.accountId],
    )
    const job = { input: { digestId: row?.digest_id } } as unknown as Parameters<typeof sendDigest>[1]
    await Promise.all([sendDigest(tools.system(), job), sendDigest(tools.system(), job)])
    expect(await digestsOf()).toHaveLength(1)
    stage.clock.turn(day)
    await sweep()
    const after = await digestsOf()
    expect([after.length, after.at(-1)?.text.includes('In the crash')]).toEqual([2, true])
  })

  it('turned off sends what still waited', async () => {
    await tools.tell({ accountIds: [person.accountId] }, { category: 'review', title: 'Left over' })
    await tools.signInAgain(person)
    await tools.choose(person, { digest: 'off' })
    await sweep()
    expect((await tools.mailsTo(person)).at(-1)?.text).toContain('Left over')
  })
})

describe('retention', () => {
  it('forgets what is older than 180 days', async () => {
    await tools.tell({ accountIds: [li.accountId] }, { category: 'review', title: 'Old' })
    await stage.settle()
    const rows = () => stage.sql('CN', 'SELECT 1 FROM notices WHERE account_id = $1', [li.accountId])
    expect(await rows()).not.toEqual([])
    stage.clock.turn(181 * day)
    await stage.booted.worker.sweep()
    expect(await rows()).toEqual([])
  })
})
