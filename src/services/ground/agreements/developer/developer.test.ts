import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commonErrors } from '../../../../kernel/errors.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { menu } from '../../menu/contract.ts'
import { notices } from '../../notices/contract.ts'
import { digest, Publisher } from '../agreements.testkit.ts'
import { agreements } from '../contract.ts'
import { developerAgreements } from './contract.ts'

let stage: Stage
let publisher: Publisher
let leader: Person
beforeAll(async () => {
  stage = await openStage()
  publisher = await Publisher.on(stage)
  leader = await stage.person()
})
afterAll(() => stage.close())

const { errors } = developerAgreements
const draft = (person: Person, body = 'Users may use it.', more = {}) =>
  person.ok(developerAgreements, 'createAgreement', {
    body: { kind: 'EULA', country: 'CN', language: 'enUS', title: 'Our terms', body, ...more },
  })
const submit = (person: Person, of: { agreementId: string; revision: number }) =>
  person.call(developerAgreements, 'submitAgreement', { body: { agreementId: of.agreementId, revision: of.revision } })
const decide = (of: { agreementId: string; revision: number }, decision: 'approve' | 'reject', note = '') =>
  publisher.staff.call(developerAgreements, 'decideAgreement', {
    body: { agreementId: of.agreementId, revision: of.revision, decision, note },
  })
const get = (person: Person, agreementId: string) =>
  person.ok(developerAgreements, 'getAgreement', { query: { agreementId } })
const handIn = async (person: Person, body: string, more = {}) => {
  const made = await draft(person, body, more)
  return (await submit(person, made)).body
}

describe('a developer agreement', () => {
  it('is drafted, handed in, approved and in force, and ends with the next one', async () => {
    const team = await stage.person()
    const first = await handIn(team, 'One')
    expect([first.state, first.allowedActions]).toEqual(['submitted', []])
    expect((await decide(first, 'approve')).body.state).toBe('effective')
    const second = await handIn(team, 'Two')
    expect(second.version).toBe(2)
    await decide(second, 'approve')
    const states = [await get(team, first.agreementId), await get(team, second.agreementId)].map(one => one.state)
    expect(states).toEqual(['superseded', 'effective'])
  })

  it('approved for later comes into force by the clock', async () => {
    const team = await stage.person()
    const effectiveAt = stage.clock.now() + 600_000
    const made = await handIn(team, 'Later', { effectiveAt })
    expect((await decide(made, 'approve')).body.state).toBe('approved')
    await stage.booted.worker.sweep()
    expect((await get(team, made.agreementId)).state).toBe('approved')
    stage.clock.turn(600_000)
    await stage.booted.worker.sweep()
    expect(await get(team, made.agreementId)).toMatchObject({ state: 'effective', effectiveAt })
  })

  it('is rejected with a note only, changed, and handed in again', async () => {
    const made = await handIn(leader, 'Bad')
    expect((await decide(made, 'reject', ' ')).body.ret.code).toBe(errors.noteMissing[0])
    await decide(made, 'reject', 'Name the law.')
    const rejected = await get(leader, made.agreementId)
    await stage.settle()
    const { list } = await leader.ok(notices, 'listNotices')
    expect(list.find(one => one.entityId === made.agreementId)).toMatchObject({ kind: 'developer_agreement.rejected' })
    expect([rejected.state, rejected.note, rejected.allowedActions]).toEqual(['rejected', 'Name the law.', ['revise']])
    const { agreementId, revision } = rejected
    const body = { agreementId, title: 'Our terms', body: 'Good', revision }
    const revised = await leader.ok(developerAgreements, 'updateAgreement', { body })
    expect([revised.state, revised.bodyHash]).toEqual(['draft', digest('Good')])
    expect((await submit(leader, revised)).body.state).toBe('submitted')
  })

  it('is deleted as a draft only, and changed by nobody once it is handed in', async () => {
    const team = await stage.person()
    const { agreementId } = await draft(team)
    const deleting = (id: string) => team.call(developerAgreements, 'deleteAgreement', { query: { agreementId: id } })
    expect((await deleting(agreementId)).status).toBe(200)
    expect((await deleting(agreementId)).status).toBe(404)
    const handed = await handIn(team, 'Handed in')
    const refused = await deleting(handed.agreementId)
    expect([refused.status, refused.body.ret.code]).toEqual([422, commonErrors.stateNotAllowed[0]])
    const body = { agreementId: handed.agreementId, title: 'T', body: 'Changed meanwhile', revision: handed.revision }
    expect((await team.call(developerAgreements, 'updateAgreement', { body })).status).toBe(422)
    expect((await get(team, handed.agreementId)).bodyHash).toBe(digest('Handed in'))
  })

  it('refuses a stale revision', async () => {
    const made = await draft(leader)
    const body = { agreementId: made.agreementId, title: 'T', body: 'B', revision: made.revision }
    await leader.ok(developerAgreements, 'updateAgreement', { body })
    expect((await leader.call(developerAgreements, 'updateAgreement', { body })).status).toBe(409)
    expect((await submit(leader, made)).status).toBe(409)
  })

  it('of another team is 404 in every call, and a draft is not for staff either', async () => {
    const stranger = await stage.person()
    const made = await draft(leader)
    const { agreementId, revision } = made
    const query = { agreementId }
    const replies = [
      await stranger.call(developerAgreements, 'getAgreement', { query }),
      await stranger.call(developerAgreements, 'deleteAgreement', { query }),
      await stranger.call(developerAgreements, 'updateAgreement', {
        body: { agreementId, title: 'T', body: 'B', revision },
      }),
      await submit(stranger, made),
      await publisher.staff.call(developerAgreements, 'getSubmitted', { query }),
      await decide(made, 'approve'),
    ]
    expect(replies.map(one => one.status)).toEqual([404, 404, 404, 404, 404, 404])
    const { total } = await stranger.ok(developerAgreements, 'listAgreements', { body: {} })
    expect(total).toBe(0)
  })

  it('comes to the desk with its team and the text in force, the oldest first', async () => {
    const team = await stage.person()
    await decide(await handIn(team, 'In force'), 'approve')
    const next = await handIn(team, 'Next')
    const { list } = await publisher.staff.ok(developerAgreements, 'listSubmitted')
    expect(list.map(one => one.agreementId)).toContain(next.agreementId)
    expect(list.find(one => one.agreementId === next.agreementId)?.teamName).toBe(`team ${team.loginName}`)
    const query = { agreementId: next.agreementId }
    const whole = await publisher.staff.ok(developerAgreements, 'getSubmitted', { query })
    expect([whole.body, whole.before, whole.allowedActions]).toEqual(['Next', 'In force', ['approve', 'reject']])
  })
})

describe('an agreement of the store with teams', () => {
  it('is signed by the leader; the rights that wait for it are refused until then, and only to this team', async () => {
    const team = await stage.person()
    const member = await stage.person({ team: team.teamId, roles: ['administrator'] })
    const untouched = await stage.person()
    const key = await publisher.kind({ signer: 'team', permissions: ['menu.edit'], name: named })
    await publisher.publish({ ...key, country: 'CN' }, 'Paid things')
    const create = (person: Person) => person.call(menu, 'createTagSet', { body: { name: person.loginName, tags: [] } })
    const refused = await create(member)
    expect([refused.status, refused.body.ret.code]).toEqual([403, errors.mustSign[0]])
    expect(refused.body['agreements']).toMatchObject([{ ...key, signer: 'team' }])
    // A right that does not wait goes on.
    expect((await member.call(developerAgreements, 'createAgreement', { body: other })).status).toBe(200)

    const { list } = await member.ok(developerAgreements, 'listPermissions', { body: {} })
    expect(list).toMatchObject([{ permission: 'menu.edit', isHeld: true, isWaiting: true, agreements: [key] }])
    const body = {
      signInfo: [
        { ...key, country: 'CN', language: 'enUS', version: 1, isAgree: true, bodyHash: digest('Paid things') },
      ],
    }
    expect((await member.call(developerAgreements, 'signForTeam', { body })).status).toBe(403)
    expect((await team.call(agreements, 'sign', { body })).status).toBe(404)
    await team.ok(developerAgreements, 'signForTeam', { body })
    await team.ok(developerAgreements, 'signForTeam', { body })
    const signs = await stage.sql('home', 'SELECT 1 FROM agreement_team_signs WHERE team_id = $1', [team.teamId])
    expect(signs).toHaveLength(1)
    expect((await create(member)).status).toBe(200)
    expect((await create(untouched)).status).toBe(403)
    const { signInfo } = await member.ok(developerAgreements, 'listTeamSigns')
    expect(signInfo).toMatchObject([{ isAgree: true, needSign: false, bodyHash: digest('Paid things') }])
    const query = { signId: signInfo[0]?.signId ?? '' }
    const kept = await member.ok(developerAgreements, 'getTeamSign', { query })
    expect(kept).toMatchObject({ body: 'Paid things', bodyHash: digest('Paid things'), isIntact: true })
    expect((await untouched.call(developerAgreements, 'getTeamSign', { query })).status).toBe(404)
  })
})

const named = { zh: '付费应用协议', en: 'Paid apps', ru: 'Платные приложения' }
const other = { kind: 'PRIVACY' as const, country: 'CN', language: 'zhCN', title: 'T', body: 'B' }
