import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commonErrors } from '../../../../kernel/errors.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { digest, Publisher } from '../agreements.testkit.ts'
import { agreements } from '../contract.ts'
import { limits } from '../rules.ts'
import { agreementDocuments } from './contract.ts'

let stage: Stage
let publisher: Publisher
beforeAll(async () => {
  stage = await openStage()
  publisher = await Publisher.on(stage)
})
afterAll(() => stage.close())

const { errors } = agreementDocuments
const act = (documentId: string, action: 'publish' | 'delete' | 'recall', revision: number) =>
  publisher.staff.call(agreementDocuments, 'actOnDocument', { params: { documentId }, body: { action, revision } })
const get = (documentId: string) => publisher.staff.ok(agreementDocuments, 'getDocument', { params: { documentId } })
const optional = { isRequired: false }

describe('a document', () => {
  it('is never changed once it is published; the next version begins with its texts', async () => {
    const key = await publisher.kind(optional)
    const { documentId, revision } = await publisher.publish(key, 'First', {}, { zhCN: '第一' })
    const params = { documentId }
    const text = { language: 'enUS', title: 'Other', body: 'Other', revision }
    const replies = [
      await publisher.staff.call(agreementDocuments, 'writeText', { params, body: text }),
      await publisher.staff.call(agreementDocuments, 'deleteText', { params, query: { language: 'enUS', revision } }),
      await publisher.staff.call(agreementDocuments, 'updateDocument', {
        params,
        body: { effectiveAt: null, graceDays: 1, requireResign: true, revision },
      }),
      await act(documentId, 'delete', revision),
    ]
    expect(replies.map(one => one.body.ret.code)).toEqual([
      ...[1, 2, 3].map(() => errors.published[0]),
      commonErrors.stateNotAllowed[0],
    ])
    expect((await get(documentId)).texts.map(one => [one.language, one.body])).toEqual([
      ['enUS', 'First'],
      ['zhCN', '第一'],
    ])
    const next = await publisher.staff.ok(agreementDocuments, 'createDocument', { body: { ...key, country: 'ZZ' } })
    expect([next.version, next.texts.map(one => one.body)]).toEqual([2, ['First', '第一']])
    const again = await publisher.staff.call(agreementDocuments, 'createDocument', { body: { ...key, country: 'ZZ' } })
    expect(again.body.ret.code).toBe(errors.draftOpen[0])
  })

  it('is not published without a text, in the past, or before the version before it', async () => {
    const key = await publisher.kind(optional)
    const empty = await publisher.staff.ok(agreementDocuments, 'createDocument', { body: { ...key, country: 'ZZ' } })
    const reply = await act(empty.documentId, 'publish', empty.revision)
    expect([reply.status, reply.body.ret.code]).toEqual([422, errors.notReady[0]])
    await act(empty.documentId, 'delete', empty.revision)
    expect((await publisher.staff.call(agreementDocuments, 'getDocument', { params: empty })).status).toBe(404)

    const later = stage.clock.now() + 1_000_000
    await publisher.publish(key, 'First', { effectiveAt: later })
    const early = await publisher.draft(key, 'Second')
    expect((await act(early.documentId, 'publish', early.revision)).body.ret.code).toBe(errors.notReady[0])
    const past = await publisher.staff.call(agreementDocuments, 'updateDocument', {
      params: early,
      body: { effectiveAt: 1, graceDays: 0, requireResign: true, revision: early.revision },
    })
    expect(past.body.fields?.[0]?.pointer).toBe('/effectiveAt')
  })

  it('is recalled only before it comes into force', async () => {
    const key = await publisher.kind(optional)
    const now = await publisher.publish(key, 'Now')
    const later = await publisher.publish(key, 'Later', { effectiveAt: stage.clock.now() + 1_000_000 })
    expect((await get(later.documentId)).allowedActions).toEqual(['recall'])
    expect((await act(now.documentId, 'recall', now.revision)).body.ret.code).toBe(errors.inForce[0])
    expect((await act(later.documentId, 'recall', later.revision)).status).toBe(200)
    expect(await get(now.documentId)).toMatchObject({ isInForce: true, state: 'published' })
  })

  it('refuses a stale revision, of its text as of its publication', async () => {
    const key = await publisher.kind(optional)
    const { documentId, revision } = await publisher.draft(key, 'Text')
    const body = { language: 'enUS', title: 'T', body: 'B', revision: revision - 1 }
    const text = await publisher.staff.call(agreementDocuments, 'writeText', { params: { documentId }, body })
    const published = await act(documentId, 'publish', revision - 1)
    expect([text.status, published.status]).toEqual([409, 409])
    expect((await get(documentId)).texts[0]?.bodyHash).toBe(digest('Text'))
  })

  it('refuses a huge text and keeps markup as text', async () => {
    const key = await publisher.kind(optional)
    const { documentId, revision } = await publisher.draft(key, 'Text')
    const write = (body: string) =>
      publisher.staff.call(agreementDocuments, 'writeText', {
        params: { documentId },
        body: { language: 'enUS', title: '<img src=x onerror=alert(1)>', body, revision },
      })
    expect((await write('x'.repeat(limits.bodyLength + 1))).status).toBe(400)
    expect((await write('x'.repeat(2_000_000))).status).toBe(413)
    const kept = await write('<script>alert(1)</script>')
    expect(kept.body.texts[0]).toMatchObject({
      title: '<img src=x onerror=alert(1)>',
      body: '<script>alert(1)</script>',
      bodyHash: digest('<script>alert(1)</script>'),
    })
  })

  it('keeps its text at its largest, in letters of three bytes', async () => {
    const key = await publisher.kind(optional)
    const { documentId } = await publisher.draft(key, '条'.repeat(limits.bodyLength))
    expect((await get(documentId)).texts[0]?.body.length).toBe(limits.bodyLength)
  })
})

describe('a kind', () => {
  it('keeps whose signature it is once a document was published, and refuses a stale revision', async () => {
    const key = await publisher.kind(optional)
    await publisher.publish(key, 'Text')
    const { list } = await publisher.staff.ok(agreementDocuments, 'listKinds')
    const { updatedAt: _at, ...kind } = list.find(one => one.agrType === key.agrType) ?? list[0]!
    const set = (change: object) =>
      publisher.staff.call(agreementDocuments, 'setKind', { body: { ...kind, ...change } as typeof kind })
    expect((await set({ signer: 'team' })).body.ret.code).toBe(errors.kindTaken[0])
    expect((await set({ revision: 0 })).status).toBe(409)
    expect((await set({ revision: kind.revision })).status).toBe(200)
  })

  it('is nobody’s business but of those who publish', async () => {
    const reviewer = await stage.person({ staff: ['reviewer'] })
    expect((await reviewer.call(agreementDocuments, 'listKinds')).status).toBe(403)
    const missing = { agrType: 99_998, branchId: 0, country: 'ZZ' }
    expect((await publisher.staff.call(agreementDocuments, 'createDocument', { body: missing })).status).toBe(404)
  })

  it('counts who signed each version', async () => {
    const key = await publisher.kind(optional)
    const { documentId } = await publisher.publish(key, 'Text')
    const sign = async (isAgree: boolean, person = stage.person()) => {
      const signInfo = [{ ...key, country: 'ZZ', language: 'enUS', version: 1, isAgree, bodyHash: digest('Text') }]
      await (await person).ok(agreements, 'sign', { body: { signInfo } })
      return person
    }
    await sign(true)
    await sign(false, sign(true))
    expect((await get(documentId)).signatures).toBe(1)
  })
})
