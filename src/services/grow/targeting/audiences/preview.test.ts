import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { recordAppEvents } from '../../../analyse/app-events/public.ts'
import { appUserDesk } from '../../../build/app-auth/user-desk/contract.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { audiences } from './contract.ts'
import { preview } from './preview.ts'
import type { AudienceRule } from './rules.ts'

const dayMs = 86_400_000
let stage: Stage
let person: Person
let projectId: string
let german: string
const zone = () => systemContext(stage.booted.server, 'CN', { name: 'test' })

beforeAll(async () => {
  stage = await openStage()
  person = await stage.person()
  projectId = (await person.ok(projects, 'createProject', { body: { name: 'Preview' } })).projectId
  const user = async (email: string) =>
    (await person.ok(appUserDesk, 'createUser', { body: { projectId, email, password: 'Long enough 1' } } as never)).uid
  german = await user('ann@example.de')
  await user('bob@example.com')
  await zone().transact(ctx =>
    recordAppEvents(
      ctx,
      projectId,
      [german, 'guest', 'guest', 'late'].map((unit, at) => ({
        ...{ unit, name: 'buy', at: stage.clock.now() - (unit === 'late' ? 20 : 1) * dayMs + at },
      })),
    ),
  )
})
afterAll(() => stage.close())

const did = (days: number, times = 1) => ({ op: 'did', event: 'buy', times, days }) as const
const ends = { attr: 'email', op: 'endsWith', value: '.de' } as const
const count = (rule: AudienceRule) => person.call(audiences, 'previewAudience', { body: { projectId, rule } })
const filled = async (rule: AudienceRule) => {
  const body = { projectId, name: JSON.stringify(rule).slice(0, 90), rule, refreshEvery: 'manual' as const }
  const { audienceId } = await person.ok(audiences, 'createAudience', { body })
  await stage.settle()
  return (await person.ok(audiences, 'getAudience', { params: { audienceId } })).size
}

describe('how many a rule on events would match', () => {
  it.each<[string, AudienceRule, number, number]>([
    ['of those who did it', did(7), 2, 3],
    ['of those who did it longer ago', did(30), 3, 4],
    ['of those who did it so often', did(7, 2), 1, 3],
    ['with what users say of themselves', { op: 'and', args: [did(7), ends] }, 1, 3],
    ['or what they say', { op: 'or', args: [did(7, 2), ends] }, 2, 3],
    ['of those who did not', { op: 'didNot', event: 'buy', times: 1, days: 7 }, 2, 4],
    [
      'of users who did not',
      {
        op: 'and',
        args: [
          { op: 'not', args: [did(7)] },
          { attr: 'email', op: 'exists', value: true },
        ],
      },
      1,
      3,
    ],
  ])('is told %s, as many as the audience has then', async (_what, rule, matched, total) => {
    const { status, body } = await count(rule)
    expect(status).toBe(200)
    expect(body).toMatchObject({ matched, estimate: matched, low: matched, high: matched, total, isExact: true })
    expect(await filled(rule)).toBe(matched)
  })

  it('is given up where it takes too long, and where nobody waits for it any more', async () => {
    const waiting = new AbortController()
    const late = preview(zone(), projectId, did(7), { gone: waiting.signal, seconds: 0.001 })
    await expect(late).rejects.toMatchObject({ number: audiences.errors.tooSlow[0] })
    const gone = preview(zone(), projectId, did(7), { gone: waiting.signal, seconds: 60 })
    waiting.abort()
    await expect(gone).rejects.toMatchObject({ number: audiences.errors.notCounted[0] })
  })

  it('is nobody’s of another team', async () => {
    const stranger = await stage.person()
    const reply = await stranger.call(audiences, 'previewAudience', { body: { projectId, rule: did(7) } })
    expect(reply.status).toBe(404)
  })
})
