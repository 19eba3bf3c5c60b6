import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { applicationRole } from '../../../server/database/guard.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { callWith, listProjects, newClient, tokenOf } from '../api-clients/clients.testkit.ts'
import { menu } from '../menu/contract.ts'
import { session } from '../session/contract.ts'
import { teams } from '../teams/contract.ts'
import { Publisher, readAndAgree, signInAgain } from './agreements.testkit.ts'
import { consents } from './consents/contract.ts'
import { agreements } from './contract.ts'
import { developerAgreements } from './developer/contract.ts'
import { agreementDocuments } from './documents/contract.ts'
import { dayMs } from './rules.ts'

let stage: Stage
let publisher: Publisher
beforeAll(async () => {
  stage = await openStage()
  publisher = await Publisher.on(stage)
})
afterEach(() => publisher.relax())
afterAll(() => stage.close())

const { mustSign } = agreements.errors
let tags = 0
const write = (person: Person) => person.call(menu, 'createTagSet', { body: { name: `Set ${++tags}`, tags: [] } })
const isBlocked = (reply: { status: number; body: { ret: { code: number } } }) =>
  reply.status === 403 && reply.body.ret.code === mustSign[0]
const turn = async (ms: number) => {
  stage.clock.turn(ms)
  publisher = new Publisher(await signInAgain(stage, publisher.staff))
}
const within = async (ms: number, isSo: () => Promise<boolean>) => {
  for (const until = performance.now() + ms; performance.now() < until; ) if (await isSo()) return true
  return false
}

describe('after the grace, a person who has not signed a required agreement', () => {
  it('is refused on writes with 204121001 and the list of what to sign, and writes again once it is signed', async () => {
    let person = await stage.person()
    const key = await publisher.kind()
    const { version } = await publisher.publish({ ...key, country: 'CN' }, 'Terms', { graceDays: 3 })
    expect((await write(person)).status).toBe(200)
    await turn(3 * dayMs)
    person = await signInAgain(stage, person)
    const refused = await write(person)
    expect(isBlocked(refused)).toBe(true)
    expect(refused.body['agreements']).toMatchObject([{ ...key, country: 'CN', version, signer: 'person' }])
    expect(refused.body.ret.msg).toContain('User agreement')
    await person.ok(agreements, 'sign', { body: { signInfo: [await readAndAgree(person, key)] } })
    expect((await write(person)).status).toBe(200)
  })

  it('gets no way around it by a program that acts for the team', async () => {
    const person = await stage.person()
    const token = await tokenOf(stage.app, await newClient(person))
    const key = await publisher.kind()
    await publisher.publish({ ...key, country: 'CN' }, 'Terms')
    const payload = { name: `Made by a program ${++tags}` }
    const make = () =>
      callWith(stage.app, token, { method: 'POST', url: '/cpms/project-management-service/v1/projects', payload })
    expect((await make()).json()).toMatchObject({ status: 403, ret: { code: mustSign[0] } })
    expect((await callWith(stage.app, token, listProjects)).statusCode).toBe(200)
    await person.ok(agreements, 'sign', { body: { signInfo: [await readAndAgree(person, key)] } })
    expect((await make()).statusCode).toBe(200)
  })

  it('still reads, signs, consents, changes the team, refreshes and signs out', async () => {
    const person = await stage.person()
    const key = await publisher.kind()
    await publisher.publish({ ...key, country: 'CN' }, 'Terms')
    expect(isBlocked(await write(person))).toBe(true)
    expect((await person.call(menu, 'getMenu')).status).toBe(200)
    expect((await person.call(agreements, 'query', { body: {} })).status).toBe(200)
    const consent = { consents: [{ purpose: 'ANALYTICS' as const, isAgree: false }] }
    expect((await person.call(consents, 'signConsents', { body: consent })).status).toBe(200)
    expect((await person.call(teams, 'switchTeam', { body: { teamId: person.teamId } })).status).toBe(200)
    expect((await person.call(developerAgreements, 'listAgreements', { body: {} })).status).toBe(200)
    expect((await person.call(session, 'refresh')).status).toBe(200)
    expect((await person.call(session, 'logout')).status).toBe(200)
  })

  it('is asked by a new version that is to be signed again, and not by a mere mend of the text', async () => {
    const person = await stage.person()
    const key = await publisher.kind()
    const of = { ...key, country: 'CN' }
    await publisher.publish(of, 'One')
    await person.ok(agreements, 'sign', { body: { signInfo: [await readAndAgree(person, key)] } })
    await publisher.publish(of, 'One, mended', { requireResign: false })
    expect((await write(person)).status).toBe(200)
    await publisher.publish(of, 'Two')
    expect(isBlocked(await write(person))).toBe(true)
  })

  it('is bound by the country of the team that is acted for, whatever a call names', async () => {
    const chinese = await stage.person()
    const staff = publisher.staff
    const key = await publisher.kind()
    await publisher.publish({ ...key, country: 'DE' }, 'Nur hier')
    expect((await write(chinese)).status).toBe(200)
    await publisher.publish({ ...key, country: 'CN' }, '仅此处')
    expect(isBlocked(await write(chinese))).toBe(true)
    // Who has no team has no country: only documents for everywhere bind them.
    expect((await staff.call(agreementDocuments, 'listKinds')).status).toBe(200)
    await publisher.kind()
  })

  it('is bound anew when the team moves to another country', async () => {
    const person = await stage.person()
    const key = await publisher.kind()
    await publisher.publish({ ...key, country: 'FR' }, 'Ici')
    expect((await write(person)).status).toBe(200)
    const { revision } = await person.ok(teams, 'getTeamInfo')
    await person.ok(teams, 'updateTeamInfo', { body: { countryCode: 'FR', revision } })
    expect(isBlocked(await write(person))).toBe(true)
  })

  it('is blocked again by taking the signature back', async () => {
    const person = await stage.person()
    const key = await publisher.kind()
    await publisher.publish({ ...key, country: 'CN' }, 'Terms')
    const sign = await readAndAgree(person, key)
    await person.ok(agreements, 'sign', { body: { signInfo: [sign] } })
    expect((await write(person)).status).toBe(200)
    await person.ok(agreements, 'sign', { body: { signInfo: [{ ...sign, isAgree: false }] } })
    expect(isBlocked(await write(person))).toBe(true)
  })
})

describe('on two servers', () => {
  it('a published agreement bites within a second on both, and a signature frees within a second on both', async () => {
    const other = await stage.another()
    const here = await stage.person()
    const there = stage.at(other, here)
    const key = await publisher.kind()
    for (const person of [here, there]) expect((await write(person)).status).toBe(200)
    await publisher.publish({ ...key, country: 'CN' }, 'Terms')
    expect(await within(1_000, async () => isBlocked(await write(here)))).toBe(true)
    expect(await within(1_000, async () => isBlocked(await write(there)))).toBe(true)
    await there.ok(agreements, 'sign', { body: { signInfo: [await readAndAgree(there, key)] } })
    expect(await within(1_000, async () => (await write(there)).status === 200)).toBe(true)
    expect(await within(1_000, async () => (await write(here)).status === 200)).toBe(true)
  })

  it('one that was published for later bites on both when its time has come, without anybody saying so', async () => {
    const other = await stage.another()
    let here = await stage.person()
    const key = await publisher.kind()
    const effectiveAt = stage.clock.now() + 3_600_000
    await publisher.publish({ ...key, country: 'CN' }, 'Terms', { effectiveAt })
    expect((await write(here)).status).toBe(200)
    await turn(3_600_000)
    here = await signInAgain(stage, here)
    for (const person of [here, stage.at(other, here)]) expect(isBlocked(await write(person))).toBe(true)
  })
})

describe('what is in memory', () => {
  it('is asked without a query', async () => {
    const person = await stage.person()
    const key = await publisher.kind()
    await publisher.publish({ ...key, country: 'CN' }, 'Terms')
    expect(isBlocked(await write(person))).toBe(true)
    const address = stage.booted.server.pools.url('home').replace(applicationRole, 'postgres')
    const owner = new pg.Client({ connectionString: address })
    await owner.connect()
    await owner.query(
      `BEGIN; LOCK TABLE agreement_kinds, agreement_documents, agreement_texts, consents, developer_agreements, agreement_signs, agreement_team_signs`,
    )
    // Whoever asked one of the tables now would wait for the lock.
    for (let at = 0; at < 20; at++) expect(isBlocked(await write(person))).toBe(true)
    await owner.end()
  })
})
