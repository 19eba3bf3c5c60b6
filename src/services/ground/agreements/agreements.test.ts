import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { digest, Publisher, readAndAgree, signInAgain } from './agreements.testkit.ts'
import { agreements } from './contract.ts'
import { dayMs } from './rules.ts'

let stage: Stage
let publisher: Publisher
beforeAll(async () => {
  stage = await openStage()
  publisher = await Publisher.on(stage)
})
afterEach(() => publisher.relax())
afterAll(() => stage.close())

type Key = Awaited<ReturnType<Publisher['kind']>>
const codes = agreements.errors
const standingOf = async (person: Person, key: Key) =>
  (await person.ok(agreements, 'query', { body: { agrInfo: [key] } })).signInfo[0]
const signsOf = (person: Person) =>
  stage.sql<Record<string, unknown>>('home', 'SELECT * FROM agreement_signs WHERE account_id = $1 ORDER BY sign_id', [
    person.accountId,
  ])
const published = async (body: string) => {
  const key = await publisher.kind()
  await publisher.publish({ ...key, country: 'CN' }, body, { graceDays: 5 })
  return key
}

describe('signing', () => {
  it('agrees to the text that was read; that text and its digest are there years and versions later', async () => {
    const person = await stage.person()
    const text = 'We promise little.\r\n<b>You</b> promise much. 😀 条款'
    const key = await published(text)
    expect(await standingOf(person, key)).toMatchObject({
      version: 0,
      latestVersion: 1,
      isAgree: false,
      needSign: true,
    })
    const { signInfo } = await person.ok(agreements, 'sign', { body: { signInfo: [await readAndAgree(person, key)] } })
    const signId = signInfo[0]?.signId ?? ''
    expect(await standingOf(person, key)).toMatchObject({ version: 1, isAgree: true, needSign: false, signId })

    stage.clock.turn(2 * 365 * dayMs)
    publisher = new Publisher(await signInAgain(stage, publisher.staff))
    await publisher.publish({ ...key, country: 'CN' }, 'We promise nothing.', { graceDays: 5 })
    const later = await signInAgain(stage, person)
    expect(await standingOf(later, key)).toMatchObject({ version: 1, latestVersion: 2, needSign: true })
    const kept = await later.ok(agreements, 'signedText', { query: { signId } })
    expect(kept).toMatchObject({ version: 1, language: 'enUS', body: text, bodyHash: digest(text), isIntact: true })
    expect((await later.ok(agreements, 'signedText', { query: key })).signId).toBe(signId)
  })

  it('asks for all kinds at once', async () => {
    const person = await stage.person()
    const keys = []
    for (let at = 0; at < 3; at++) keys.push(await published(`Text ${at}`))
    const { signInfo } = await person.ok(agreements, 'query', { body: {} })
    expect(signInfo.map(one => one.agrType)).toEqual(expect.arrayContaining(keys.map(key => key.agrType)))
  })

  it('is all or nothing', async () => {
    const person = await stage.person()
    const [first, second] = [await published('One'), await published('Two')]
    const good = await readAndAgree(person, first)
    const bad = { ...(await readAndAgree(person, second)), bodyHash: digest('Three') }
    const reply = await person.call(agreements, 'sign', { body: { signInfo: [good, bad] } })
    expect([reply.status, reply.body.ret.code]).toEqual([409, codes.otherText[0]])
    expect(await signsOf(person)).toEqual([])
  })

  it('writes one record however often and however fast the same signature is sent', async () => {
    const person = await stage.person()
    const sign = { body: { signInfo: [await readAndAgree(person, await published('Once'))] } }
    const replies = await Promise.all([1, 2, 3, 4].map(() => person.ok(agreements, 'sign', sign)))
    expect(new Set(replies.map(one => one.signInfo[0]?.signId)).size).toBe(1)
    expect(await signsOf(person)).toHaveLength(1)
  })

  it('adds a record for a withdrawal and changes none', async () => {
    const person = await stage.person()
    const key = await published('Come and go')
    const sign = await readAndAgree(person, key)
    await person.ok(agreements, 'sign', { body: { signInfo: [sign] } })
    const before = await signsOf(person)
    const { bodyHash: _hash, ...words } = sign
    await person.ok(agreements, 'sign', { body: { signInfo: [{ ...words, isAgree: false }] } })
    const after = await signsOf(person)
    expect(after.map(row => row['is_agree'])).toEqual([true, false])
    expect(after[0]).toEqual(before[0])
    expect(after[1]?.['body_hash']).toBe(digest('Come and go'))
    expect(await standingOf(person, key)).toMatchObject({ isAgree: false, version: 0, needSign: true })
    const { list, total } = await person.ok(agreements, 'listSigned', { query: { pageSize: 1 } })
    expect([total, list[0]?.isAgree]).toEqual([2, false])
  })

  it('cannot be withdrawn where the kind says so, nor before it was given', async () => {
    const person = await stage.person()
    const key = await publisher.kind({ isWithdrawable: false })
    await publisher.publish({ ...key, country: 'CN' }, 'For good', { graceDays: 5 })
    const sign = await readAndAgree(person, key)
    const withdraw = { body: { signInfo: [{ ...sign, isAgree: false }] } }
    expect((await person.call(agreements, 'sign', withdraw)).body.ret.code).toBe(codes.neverSigned[0])
    await person.ok(agreements, 'sign', { body: { signInfo: [sign] } })
    expect((await person.call(agreements, 'sign', withdraw)).body.ret.code).toBe(codes.notWithdrawable[0])
  })
})

describe('a signature is refused', () => {
  it('of a version that is no longer in force, or not yet', async () => {
    const person = await stage.person()
    const key = await published('First')
    const stale = await readAndAgree(person, key)
    await publisher.publish({ ...key, country: 'CN' }, 'Second', { effectiveAt: stage.clock.now() + 3 * 3_600_000 })
    const early = await person.call(agreements, 'sign', { body: { signInfo: [{ ...stale, version: 2 }] } })
    expect([early.status, early.body.ret.code]).toEqual([409, codes.notInForce[0]])
    expect((await person.ok(agreements, 'templateInfo', { query: key })).version).toBe(1)
    stage.clock.turn(4 * 3_600_000)
    publisher = new Publisher(await signInAgain(stage, publisher.staff))
    const later = await signInAgain(stage, person)
    const late = await later.call(agreements, 'sign', { body: { signInfo: [stale] } })
    expect([late.status, late.body.ret.code, late.body['latestVersion']]).toEqual([409, codes.notInForce[0], 2])
  })

  it('with the digest of another version, of another language, and without one', async () => {
    const person = await stage.person()
    const key = await publisher.kind()
    await publisher.publish({ ...key, country: 'CN' }, 'First', { graceDays: 5 })
    await publisher.publish({ ...key, country: 'CN' }, 'Second', { graceDays: 5 }, { zhCN: '第二' })
    const sign = await readAndAgree(person, key)
    for (const other of ['First', '第二']) {
      const reply = await person.call(agreements, 'sign', {
        body: { signInfo: [{ ...sign, bodyHash: digest(other) }] },
      })
      expect([reply.status, reply.body.ret.code]).toEqual([409, codes.otherText[0]])
    }
    const { bodyHash: _hash, ...without } = sign
    const reply = await person.call(agreements, 'sign', { body: { signInfo: [without] } })
    expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, '/signInfo/0/bodyHash'])
  })

  it('in a forged language or country, of a kind that is not there, and twice in one call', async () => {
    const person = await stage.person()
    const key = await published('Ours')
    await publisher.publish({ ...key, country: 'DE' }, 'Unsere', { graceDays: 5 })
    const sign = await readAndAgree(person, key)
    const send = (signInfo: (typeof sign)[]) => person.call(agreements, 'sign', { body: { signInfo } })
    expect((await send([{ ...sign, language: 'ruRU' }])).body.fields?.[0]?.pointer).toBe('/signInfo/0/language')
    expect((await send([{ ...sign, language: 'xx' }])).status).toBe(400)
    expect((await send([{ ...sign, country: 'XX' }])).status).toBe(400)
    const german = { ...sign, country: 'DE', bodyHash: digest('Unsere') }
    expect((await send([german])).body.ret.code).toBe(codes.otherCountry[0])
    expect((await send([{ ...sign, agrType: 99_999 }])).status).toBe(404)
    expect((await send([sign, sign])).body.fields?.[0]?.pointer).toBe('/signInfo/1')
    expect(await signsOf(person)).toEqual([])
  })

  it('shows a forged country nothing that is to be signed', async () => {
    const person = await stage.person()
    const key = await published('Ours')
    await publisher.publish({ ...key, country: 'DE' }, 'Unsere')
    const { signInfo } = await person.ok(agreements, 'query', { body: { agrInfo: [{ ...key, country: 'DE' }] } })
    expect(signInfo).toMatchObject([{ country: 'DE', needSign: false, isBlocking: false }])
    const unknown = { agrType: 99_999, branchId: 0 }
    expect((await person.ok(agreements, 'query', { body: { agrInfo: [unknown] } })).signInfo).toEqual([])
  })
})

describe('a text', () => {
  it('comes in the language asked for, or the nearest, or English', async () => {
    const person = await stage.person()
    const key = await publisher.kind()
    await publisher.publish({ ...key, country: 'CN' }, 'English', { graceDays: 5 }, { zhCN: '中文' })
    const bodyIn = async (language: string) =>
      (await person.ok(agreements, 'templateInfo', { query: { ...key, language } })).body
    expect([await bodyIn('zhCN'), await bodyIn('zhTW'), await bodyIn('ruRU'), await bodyIn("'; --")]).toEqual([
      '中文',
      '中文',
      'English',
      'English',
    ])
  })

  it('of somebody else’s signature is 404', async () => {
    const [person, stranger] = [await stage.person(), await stage.person()]
    const key = await published('Mine')
    const sign = { body: { signInfo: [await readAndAgree(person, key)] } }
    const signId = (await person.ok(agreements, 'sign', sign)).signInfo[0]?.signId ?? ''
    expect((await stranger.call(agreements, 'signedText', { query: { signId } })).status).toBe(404)
    expect((await stranger.call(agreements, 'signedText', { query: key })).status).toBe(404)
    expect((await stranger.call(agreements, 'signedText', { query: {} })).status).toBe(400)
  })
})
