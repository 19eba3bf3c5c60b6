import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { at, field, indexOn, key, matrix, type OpenedDb, openDb, queryAll, typed, where } from '../cloud-db.testkit.ts'
import { cloudDbSecurity } from '../security/contract.ts'

let stage: Stage
let db: OpenedDb
beforeAll(async () => {
  stage = await openStage()
  db = await openDb(stage)
  const permissions = matrix({ World: 'R', Authenticated: 'RU', Creator: 'RUD', Administrator: 'RUD' })
  await db.newType({
    ...typed(
      'Note',
      [key('id'), key('part', 'Integer'), field('text', 'String'), field('owner', 'String')],
      [indexOn('byOwner', 'owner')],
    ),
    permissions,
  })
})
afterAll(() => stage.close())

const insert = (who: { headers: Record<string, string> }, object: object) =>
  db.as(who, 'POST', '/v3/syncObjects', { ...at('Note'), objects: [object], operationType: 1 })
const tableOf = (type: string) => `"cdb_${BigInt(db.projectId).toString(36)}_main".o_${type}`
const rowsOf = () =>
  stage.sql<{ id: string; part: number; text: string; creator: string; version: string; by: string; xmin: string }>(
    'CN',
    `SELECT id, part, text, naturalbase_creator AS creator, naturalbase_version AS version,
      naturalbase_lastmodifier AS by, xmin::text FROM ${tableOf('note')} ORDER BY id, part`,
  )

describe('rows that are inserted at once', () => {
  it('are each there, of who made them, with a version and a change of their own', async () => {
    const [one, other] = [await db.user(), await db.user()]
    const wishes = Array.from({ length: 60 }, (_none, n) => ({ id: `r${n % 30}`, part: n < 30 ? 1 : 2, text: `t${n}` }))
    const replies = await Promise.all(wishes.map((wish, n) => insert(n % 2 ? one : other, wish)))
    expect(replies.map(reply => reply.body)).toEqual(wishes.map(() => ({ insertNumber: 1 })))
    const rows = await rowsOf()
    const made = new Map(rows.map(row => [`${row.id} ${row.part}`, row]))
    for (const [n, wish] of wishes.entries()) {
      const { uid } = n % 2 ? one : other
      expect(made.get(`${wish.id} ${wish.part}`)).toMatchObject({ text: wish.text, creator: uid, by: uid })
    }
    expect(new Set(rows.map(row => row.version)).size).toBe(60)
    expect(new Set(rows.map(row => row.xmin)).size).toBeLessThan(30)
    const told = await stage.sql('CN', `SELECT FROM cdb_changes WHERE type_key = 'note' AND before IS NULL`)
    expect(told).toHaveLength(60)
  })

  it('under one key are one, and the others are refused with it', async () => {
    const user = await db.user()
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_none, n) => insert(user, { id: n < 6 ? 'same' : `own${n}`, part: 7, text: `${n}` })),
    )
    const codes = replies.map(reply => reply.body.errorCodeV2 ?? 'done')
    expect(codes.slice(0, 6).sort()).toEqual([...Array(5).fill('2002044'), 'done'])
    expect(codes.slice(6)).toEqual(Array(6).fill('done'))
    expect(replies.find(reply => reply.status !== 200)?.body.message).toContain('same')
  })

  it('are judged one by one: what rules deny is not written, the rest is', async () => {
    const { version } = await db.owner.ok(cloudDbSecurity, 'getSecurityRules', { query: { projectId: db.projectId } })
    const source = `agc.cloud.db[ match: /{zone}/Note/{id}/{part} { allow read: if true;
      allow create: if request.resource.data.owner == request.auth.uid; } ]`
    await db.owner.ok(cloudDbSecurity, 'putSecurityRules', {
      body: { projectId: db.projectId, source, baseVersion: version },
    })
    const user = await db.user()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_none, n) =>
        insert(user, { id: `judged${n}`, part: 1, owner: n % 2 ? user.uid : 'somebody' }),
      ),
    )
    expect(replies.map(reply => reply.status)).toEqual(replies.map((_reply, n) => (n % 2 ? 200 : 403)))
    const found = await queryAll(db, 'Note', where('EqualTo', 'owner', 'somebody'))
    expect(found.body.data).toEqual([])
    await db.owner.ok(cloudDbSecurity, 'putSecurityRules', {
      body: {
        projectId: db.projectId,
        source: 'agc.cloud.db[ match: /{zone}/{type}/{path=**} { allow read, write: if true; } ]',
        baseVersion: (version ?? 0) + 1,
      },
    })
  })

  it('are still written when PostgreSQL refuses the group for one of them', async () => {
    await stage.sql('CN', `ALTER TABLE ${tableOf('note')} ADD CONSTRAINT none_bad CHECK (text <> 'bad')`)
    try {
      const user = await db.user()
      const texts = ['a', 'bad', 'b', 'c']
      const replies = await Promise.all(texts.map((text, n) => insert(user, { id: `held${n}`, part: 1, text })))
      expect(replies.map(reply => reply.status === 200)).toEqual([true, false, true, true])
    } finally {
      await stage.sql('CN', `ALTER TABLE ${tableOf('note')} DROP CONSTRAINT none_bad`)
    }
  })
})

describe('rows that are read by their keys at once', () => {
  it('are each the one that was asked for, and one that fails fails alone', async () => {
    const user = await db.user()
    await Promise.all(
      Array.from({ length: 20 }, (_none, n) => insert(user, { id: `k${n}`, part: 3, text: `text ${n}` })),
    )
    const get = (id: unknown, part: unknown) =>
      db.as(user, 'POST', '/v4/objects/queries', {
        ...at('Note'),
        queryConditions: [where('EqualTo', 'id', id), where('EqualTo', 'part', part)],
      })
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_none, n) => (n % 4 === 3 ? get(`k${n}`, 'three') : get(`k${n % 20}`, 3))),
    )
    for (const [n, reply] of replies.entries()) {
      if (n % 4 === 3) expect(reply.status).toBe(400)
      else expect(reply.body.data).toMatchObject([{ id: `k${n % 20}`, text: `text ${n % 20}` }])
    }
  })
})
