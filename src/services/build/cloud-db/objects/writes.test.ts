import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { at, field, key, matrix, type OpenedDb, openDb, putAll, queryAll, typed, where } from '../cloud-db.testkit.ts'
import { cloudDb } from '../contract.ts'
import { cloudDbSecurity } from '../security/contract.ts'
import { cloudDbTransfer } from '../transfer/contract.ts'

let stage: Stage
let db: OpenedDb
beforeAll(async () => {
  stage = await openStage()
  db = await openDb(stage)
  await db.newType(typed('Account', [key('id'), field('money', 'Long'), field('small', 'Byte'), field('made', 'Date')]))
})
afterAll(() => stage.close())

const one = async (type: string, id: string) => (await queryAll(db, type, where('EqualTo', 'id', id))).body.data[0]
const update = (body: object) => db.asServer('PUT', '/v4/object', { ...at('Account'), ...body })

describe('a write', () => {
  it('sent again with its request id has its effect once and gets the first answer', async () => {
    await putAll(db, 'Account', [{ id: 'once', money: 0 }])
    const body = { primaryKey: { id: 'once' }, increment: { money: 5 } }
    const send = () => db.asServer('PUT', '/v4/object', { ...at('Account'), ...body }, { requestid: 'r1' })
    const replies = await Promise.all([send(), send(), send()])
    expect(replies.map(reply => reply.body)).toEqual(Array.from({ length: 3 }, () => ({ affectNum: 1 })))
    expect((await one('Account', 'once'))?.['money']).toBe('5')
    const other = await db.asServer(
      'PUT',
      '/v4/object',
      { ...at('Account'), ...body, increment: { money: 6 } },
      { requestid: 'r1' },
    )
    expect(other.body.errorCodeV2).toBe('2002000')
    stage.clock.turn(10 * 60_000 + 1)
    await send()
    expect((await one('Account', 'once'))?.['money']).toBe('10')
  })

  it('of many rows is all or none', async () => {
    await putAll(db, 'Account', [{ id: 'there' }])
    const reply = await putAll(db, 'Account', [{ id: 'new1' }, { id: 'there' }], 1)
    expect([reply.status, reply.body.errorCodeV2]).toEqual([409, '2002044'])
    expect(await one('Account', 'new1')).toBeUndefined()
  })

  it('keeps fields that are not sent, and sets those that are sent as empty', async () => {
    await putAll(db, 'Account', [{ id: 'part', money: '9223372036854775807', small: 1 }])
    await putAll(db, 'Account', [
      { id: 'part', small: 2 },
      { id: 'part2', money: 1 },
    ])
    expect(await one('Account', 'part')).toMatchObject({ money: '9223372036854775807', small: 2 })
    await putAll(db, 'Account', [{ id: 'part', money: null }])
    expect(await one('Account', 'part')).toMatchObject({ money: null, small: 2 })
  })

  it('counts up within the range, not from nothing, and only where the row is as it should be', async () => {
    await putAll(db, 'Account', [{ id: 'c', small: 126, money: '9223372036854775806' }])
    const primaryKey = { id: 'c' }
    expect((await update({ primaryKey, increment: { small: 1, money: 1 } })).body).toEqual({ affectNum: 1 })
    expect((await update({ primaryKey, increment: { small: 1 } })).body.errorCodeV2).toBe('2003053')
    expect((await update({ primaryKey, increment: { money: 1 } })).body.errorCodeV2).toBe('2003053')
    expect((await update({ primaryKey, increment: { made: 1 } })).body.errorCodeV2).toBe('3037043')
    expect((await update({ primaryKey, increment: { small: 1 }, update: { small: 1 } })).body.errorCodeV2).toBe(
      '3037042',
    )
    expect((await update({ primaryKey, update: { id: 'd' } })).body.errorCodeV2).toBe('2002041')
    expect((await update({ primaryKey: { id: 'none' }, update: { small: 1 } })).body.errorCodeV2).toBe('2002043')
    expect(
      (await update({ primaryKey, update: { small: 1 }, conditions: [where('EqualTo', 'small', 5)] })).body,
    ).toEqual({ affectNum: 0 })
    await putAll(db, 'Account', [{ id: 'empty' }])
    expect((await update({ primaryKey: { id: 'empty' }, increment: { small: 1 } })).body.errorCodeV2).toBe('2002045')
  })

  it('with a token of another team’s server is turned away', async () => {
    const other = await openDb(stage)
    const reply = await db.asServer(
      'POST',
      '/v4/objects/queries',
      { ...at('Account'), queryConditions: [] },
      { productid: other.projectId },
    )
    expect([reply.status, reply.body.errorCodeV2]).toEqual([401, '3007004'])
  })
})

describe('transactions', () => {
  it('of 16 clients over ten accounts, with the server’s connections cut in the middle, lose and make no money', async () => {
    const ids = Array.from({ length: 10 }, (_one, n) => `t${n}`)
    await putAll(
      db,
      'Account',
      ids.map(id => ({ id, money: 1000 })),
    )
    let done = 0
    const move = async (n: number) => {
      const [from, to] = [ids[n % 10] as string, ids[(n * 7 + 3) % 10] as string]
      if (from === to) return
      const read = await db.asServer('POST', '/v4/syncObjects/queries', {
        ...at('Account'),
        queryConditions: [where('In', 'id', [from, to])],
      })
      const rows = new Map((read.body.data ?? []).map(row => [row['id'], row]))
      if (rows.size < 2) return
      const objects = [...rows.values()].map(row => ({
        id: row['id'],
        naturalbase_version: row['naturalbase_version'],
      }))
      const money = (id: string, by: number) => ({
        id,
        money: String(BigInt(rows.get(id)?.['money'] as string) + BigInt(by)),
      })
      const reply = await db.asServer('POST', '/v3/transaction', {
        cloudDBZoneName: 'main',
        needVerifyObjectsList: [{ objectTypeName: 'Account', objects }],
        transactionList: [
          { operationType: 'Upsert', objectTypeName: 'Account', objects: [money(from, -1), money(to, 1)] },
        ],
      })
      if (reply.status === 200) done++
      else expect(['2003049', '3007999']).toContain(reply.body.errorCodeV2)
    }
    const cut = setTimeout(() => {
      void stage.sql(
        'CN',
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'loggia' AND query LIKE '%o_account%'`,
      )
    }, 150)
    await Promise.all(
      Array.from({ length: 16 }, async (_one, client) => {
        for (let n = 0; n < 12; n++) await move(client * 31 + n * 17)
      }),
    )
    clearTimeout(cut)
    const rows = (await queryAll(db, 'Account', where('In', 'id', ids))).body.data
    expect(rows.reduce((total, row) => total + Number(row['money']), 0)).toBe(10_000)
    expect(done).toBeGreaterThan(10)
  }, 120_000)
})

describe('users of an app', () => {
  it('write and delete what the matrix gives them, their own or everybody’s', async () => {
    await db.newType({
      ...typed('Note', [key('id'), field('text', 'String')]),
      permissions: matrix({ World: 'R', Creator: 'RUD', Administrator: 'RUD' }),
    })
    const [a, b] = [await db.user(), await db.user()]
    const put = (who: { headers: Record<string, string> }, id: string, text: string) =>
      db.as(who, 'POST', '/v3/syncObjects', { ...at('Note'), objects: [{ id, text }] })
    const remove = (who: { headers: Record<string, string> }, id: string) =>
      db.as(who, 'DELETE', '/v3/syncObjects', { ...at('Note'), objects: [{ id }] })
    expect((await put(a, 'n1', 'mine')).body).toEqual({ upsertNumber: 1 })
    expect((await put(b, 'n1', 'taken')).body.errorCodeV2).toBe('2001015')
    expect((await put(await db.nobody(), 'n2', 'x')).body.errorCodeV2).toBe('2001015')
    expect((await remove(b, 'n1')).body.errorCodeV2).toBe('2001015')
    const both = await db.as(b, 'POST', '/v3/syncObjects', { ...at('Note'), objects: [{ id: 'n3' }, { id: 'n1' }] })
    expect(both.body.errorCodeV2).toBe('2001015')
    expect(await one('Note', 'n3')).toBeUndefined()
    expect((await remove(a, 'n1')).body).toEqual({ delNumber: 1 })
  })

  it('get, list and write only what the rules allow, and a denial can be looked into', async () => {
    await db.newType({
      ...typed('Page', [key('id'), field('owner', 'String'), field('isOpen', 'Boolean')]),
      permissions: matrix({ World: 'RUD', Administrator: 'RUD' }),
    })
    const [a, b] = [await db.user(), await db.user()]
    const source = `agc.cloud.db[
      match: /{zone}/Page/{id} {
        allow read: if resource.data.isOpen == true || (request.auth != null && resource.data.owner == request.auth.uid);
        allow create: if request.auth != null && request.resource.data.owner == request.auth.uid;
        allow update, delete: if request.auth != null && resource.data.owner == request.auth.uid;
      }
    ]`
    await db.owner.ok(cloudDbSecurity, 'putSecurityRules', {
      body: { projectId: db.projectId, source, baseVersion: 0 },
    })
    const put = (who: { headers: Record<string, string> }, row: object, operationType = 0) =>
      db.as(who, 'POST', '/v3/syncObjects', { ...at('Page'), objects: [row], operationType })
    expect((await put(a, { id: 'p1', owner: a.uid, isOpen: false }, 1)).status).toBe(200)
    expect((await put(a, { id: 'p2', owner: a.uid, isOpen: true })).status).toBe(200)
    const forged = await put(b, { id: 'p3', owner: a.uid })
    expect([forged.status, forged.body.errorCodeV2, typeof forged.headers['x-decision-id']]).toEqual([
      403,
      '2001015',
      'string',
    ])
    expect((await put(b, { id: 'p1', owner: b.uid })).status).toBe(403)
    const list = async (who: { headers: Record<string, string> }, ...conditions: object[]) => {
      const reply = await db.as(who, 'POST', '/v4/objects/queries', { ...at('Page'), queryConditions: conditions })
      return reply.status === 200 ? reply.body.data.map(row => row['id']) : reply.body.errorCodeV2
    }
    expect(await list(a)).toEqual(['p1', 'p2'])
    expect(await list(b)).toEqual(['p2'])
    expect(await list(await db.nobody())).toEqual(['p2'])
    expect(await list(b, where('EqualTo', 'id', 'p1'))).toBe('2001015')
    expect(await list(a, where('EqualTo', 'id', 'p1'))).toEqual(['p1'])
    expect((await db.as(b, 'DELETE', '/v3/syncObjects', { ...at('Page'), objects: [{ id: 'p1' }] })).status).toBe(403)
    expect((await queryAll(db, 'Page')).body.data).toHaveLength(2)
    const sum = await db.as(b, 'POST', '/v4/objects/queries', {
      ...at('Page'),
      queryConditions: [where('Count', 'id')],
    })
    expect(sum.body.data).toEqual([{ 'count(id)': 1 }])
    await db.owner.ok(cloudDbSecurity, 'deleteSecurityRules', { query: { projectId: db.projectId, all: true } })
  })
})

describe('files of rows', () => {
  const { projectId: _none, ...place } = { projectId: '', cloudDBZoneName: 'main', objectTypeName: 'Copy' }
  const report = (processId: string) =>
    db.owner.ok(cloudDb, 'getProcessPercentage', { body: { projectId: db.projectId, processId } })

  it('go out and come back the same in each format, with what is dangerous in spreadsheets', async () => {
    await db.newType(
      typed('Source', [
        key('id'),
        field('s', 'String'),
        field('n', 'Long'),
        field('d', 'Double'),
        field('at', 'Date'),
        field('b', 'ByteArray'),
        field('o', 'Boolean'),
        field('secret', 'String', { isSensitive: true }),
      ]),
    )
    await db.newType(
      typed('Copy', [
        key('id'),
        field('s', 'String'),
        field('n', 'Long'),
        field('d', 'Double'),
        field('at', 'Date'),
        field('b', 'ByteArray'),
        field('o', 'Boolean'),
      ]),
    )
    const rows = ['=1+1', '+x', '-y', '@z', "'q", 'a,"b"\n中', '', '\\N', '😀'].map((s, n) => ({
      id: `r${n}`,
      s,
      n: String(n * -1),
      d: n / 3,
      at: 1_700_000_000_000 + n,
      b: Buffer.from(s).toString('base64'),
      o: n % 2 === 0,
      secret: 'x',
    }))
    await putAll(db, 'Source', [...rows.filter(row => row.s !== '\\N'), { id: 'empty' }])
    for (const format of ['JSON', 'NDJSON', 'CSV'] as const) {
      const { processId } = await db.owner.ok(cloudDbTransfer, 'exportFile', {
        body: { projectId: db.projectId, zones: ['main'], types: ['Source'], format },
      })
      await stage.settle()
      const told = await report(processId)
      expect([told.state, told.inserted, told.notes]).toEqual(['done', 9, ['Source: secret']])
      const file = await db.owner.call(cloudDbTransfer, 'getProcessFile', {
        query: { projectId: db.projectId, processId, objectId: told.objectIds[0] as string },
      })
      const imported = await db.owner.ok(cloudDbTransfer, 'importFile', {
        body: { projectId: db.projectId, format, mode: 'REPLACE', content: file.text, ...place },
      })
      await stage.settle()
      expect(await report(imported.processId)).toMatchObject({ state: 'done', inserted: 9, errorCount: 0 })
      const [source, copy] = [await queryAll(db, 'Source'), await queryAll(db, 'Copy')]
      const plain = (list: Record<string, unknown>[]) =>
        list.map(({ naturalbase_version: _v, secret: _s, ...row }) => row)
      expect([format, plain(copy.body.data)]).toEqual([format, plain(source.body.data)])
    }
  })

  it('go out behind a passphrase and come back with it alone; it is kept nowhere', async () => {
    const passphrase = 'correct horse battery'
    const wish = {
      projectId: db.projectId,
      zones: ['main'],
      types: ['Source'],
      format: 'NDJSON' as const,
      encrypt: true,
    }
    const short = await db.owner.call(cloudDbTransfer, 'exportFile', { body: { ...wish, passphrase: 'short' } })
    expect(short.body.ret.code).toBe(204042004)
    const { processId } = await db.owner.ok(cloudDbTransfer, 'exportFile', { body: { ...wish, passphrase } })
    await stage.settle()
    const told = await report(processId)
    expect([told.state, told.notes]).toEqual(['done', ['Source: secret']])
    const kept = await stage.sql(
      'CN',
      'SELECT p.input, j.input AS job FROM cdb_processes p JOIN jobs j ON j.job_id = p.process_id WHERE process_id = $1',
      [processId],
    )
    expect(JSON.stringify(kept)).not.toContain(passphrase)
    const file = await db.owner.call(cloudDbTransfer, 'getProcessFile', {
      query: { projectId: db.projectId, processId, objectId: told.objectIds[0] as string },
    })
    expect(file.headers['content-disposition']).toContain('main-Source.ndjson.sealed')
    expect(file.bytes.includes('"id":')).toBe(false)
    const content = file.bytes.toString('base64')
    const back = (more: object) =>
      db.owner.call(cloudDbTransfer, 'importFile', {
        body: { projectId: db.projectId, format: 'NDJSON', mode: 'REPLACE', content, ...place, ...more },
      })
    expect((await back({ passphrase: 'correct horse batterz' })).body.ret.code).toBe(204042006)
    const imported = await back({ passphrase })
    expect(imported.status).toBe(200)
    await stage.settle()
    expect(await report(imported.body.processId)).toMatchObject({ state: 'done', inserted: 9, errorCount: 0 })
  })

  it('are reported by row where a row cannot be read, and a trial writes nothing', async () => {
    const content = [
      '{"id":"ok1","n":"1"}',
      'nonsense',
      '{"n":"1"}',
      '{"id":"bad","d":"x"}',
      '{"id":"r0"}',
      '{"id":"ok2","more":1}',
    ].join('\n')
    const run = async (mode: 'UPSERT' | 'INSERT', dryRun: boolean) => {
      const { processId } = await db.owner.ok(cloudDbTransfer, 'importFile', {
        body: { projectId: db.projectId, format: 'NDJSON', mode, dryRun, content, ...place },
      })
      await stage.settle()
      return report(processId)
    }
    const before = (await queryAll(db, 'Copy')).body.data.length
    const trial = await run('INSERT', true)
    expect(trial).toMatchObject({ inserted: 1, updated: 0, errorCount: 5 })
    expect(trial.errors.map(error => [error.row, error.code])).toEqual(
      expect.arrayContaining([
        [2, 3007006],
        [3, 3037003],
        [4, 3007007],
        [5, 2002044],
        [6, 3037004],
      ]),
    )
    expect((await queryAll(db, 'Copy')).body.data).toHaveLength(before)
    expect(await run('UPSERT', false)).toMatchObject({ inserted: 1, updated: 1, errorCount: 4 })
  })

  it('whose worker is killed in the middle go on behind the last batch: no row twice, none missing', async () => {
    await db.newType(typed('Bulk', [key('no', 'IntAutoIncrement'), field('n', 'Integer')]))
    const content = Array.from({ length: 3000 }, (_one, n) => `{"n":${n}}`).join('\n')
    const { processId } = await db.owner.ok(cloudDbTransfer, 'importFile', {
      body: {
        projectId: db.projectId,
        format: 'NDJSON',
        mode: 'UPSERT',
        content,
        cloudDBZoneName: 'main',
        objectTypeName: 'Bulk',
      },
    })
    const done = async () =>
      Number(
        (
          await stage.sql<{ rows_done: string }>('CN', 'SELECT rows_done FROM cdb_processes WHERE process_id = $1', [
            processId,
          ])
        )[0]?.rows_done,
      )
    await expect.poll(done, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0)
    await stage.sql(
      'CN',
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'loggia'`,
    )
    // Longer than a lease, which nobody gives back here.
    stage.clock.turn(60_000)
    await stage.settle()
    const rows = await stage.sql<{ count: string; numbers: string }>(
      'CN',
      `SELECT count(*), count(DISTINCT n) AS numbers FROM "cdb_${BigInt(db.projectId).toString(36)}_main".o_bulk`,
    )
    expect(rows[0]).toEqual({ count: '3000', numbers: '3000' })
    expect(await report(processId)).toMatchObject({ state: 'done', inserted: 3000 })
  }, 120_000)
})
