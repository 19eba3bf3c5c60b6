import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloudDb } from '../src/services/build/cloud-db/contract.ts'
import type { FieldOf, ObjectType } from '../src/services/build/cloud-db/schema/contract.ts'
import { cloudDbTransfer } from '../src/services/build/cloud-db/transfer/contract.ts'
import { apiClients } from '../src/services/ground/api-clients/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { Loggia, until, type Visitor } from './loggia.ts'

let loggia: Loggia
let leader: Visitor
let projectId: string
let headers: Record<string, string>
beforeAll(async () => {
  loggia = await Loggia.start()
  leader = await loggia.signIn('administrator')
  ;({ projectId } = await leader.ok(projects, 'createProject', { body: { name: 'Rows' } }))
  await leader.ok(cloudDb, 'switchProduct', { body: { projectId, enabled: true, agree: true } })
  for (const name of ['main', 'second']) await leader.ok(cloudDb, 'createZone', { body: { projectId, name } })
  const { client, clientSecret } = await leader.ok(apiClients, 'createClient', {
    body: { name: 'Server', permissions: ['appAuth.server'] },
  })
  const secret = { client_id: client.clientId, client_secret: clientSecret ?? '' }
  const reply = await fetch(`${loggia.url}/oauth2/v1/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', ...secret }),
  })
  const { access_token } = (await reply.json()) as { access_token: string }
  headers = { authorization: `Bearer ${access_token}`, productid: projectId, 'content-type': 'application/json' }
})
afterAll(() => loggia.close())

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const table = (type: string, zone = 'main') => `"cdb_${BigInt(projectId).toString(36)}_${zone}".o_${type}`
const keyField = (fieldName: string, fieldType: FieldOf['fieldType']): FieldOf => ({
  fieldName,
  fieldType,
  belongPrimaryKey: true,
})
const typed = (objectTypeName: string, ...fields: FieldOf[]): ObjectType => ({
  objectTypeName,
  fields,
  indexes: [],
  permissions: [],
})
const newType = (objectType: ObjectType) => leader.ok(cloudDb, 'createObjectType', { body: { projectId, objectType } })
const processOf = (processId: string) => leader.ok(cloudDb, 'getProcessPercentage', { body: { projectId, processId } })

/** A call of the team's own server; null where no answer came. */
async function asServer(path: string, body: object, requestid?: string) {
  const reply = await fetch(`${loggia.url}/api/clouddb/clouddbservice${path}`, {
    method: 'POST',
    headers: { ...headers, ...(requestid !== undefined && { requestid }) },
    body: JSON.stringify({ cloudDBZoneName: 'main', ...body }),
  }).catch(() => null)
  const answer = await reply?.json().catch(() => null)
  return reply && answer
    ? { status: reply.status, body: answer as { errorCodeV2?: string; data: Record<string, string>[] } }
    : null
}

/** Ends the server as a crash does and starts it again over what is left. */
async function crash(): Promise<void> {
  await loggia.end('SIGKILL')
  await loggia.up()
}

describe('kill -9', () => {
  it('in an import leaves the rest of the file to be read: every row is there once, every fault is told once', async () => {
    await newType(typed('Read', keyField('no', 'Integer'), { fieldName: 'words', fieldType: 'String' }))
    const rows = 30_000
    const line = (no: number) => (no % 1000 === 999 ? '{"no":"none"}' : JSON.stringify({ no, words: `row ${no}` }))
    const content = Array.from({ length: rows }, (_none, no) => line(no)).join('\n')
    const place = { cloudDBZoneName: 'main', objectTypeName: 'Read' }
    // A row that was written twice would be a fault: INSERT takes no row that is there.
    const body = { projectId, format: 'NDJSON' as const, mode: 'INSERT' as const, content, ...place }
    const { processId } = await leader.ok(cloudDbTransfer, 'importFile', { body })
    const state = () => processOf(processId)
    for (const least of [0, 10_000]) {
      await until('rows', async () => (await state()).inserted > least, 60, 10)
      expect((await state()).state).toBe('running')
      await crash()
      const { inserted } = await state()
      const [kept] = await loggia.sql<{ rows: number }>('cn', `SELECT count(*)::int AS rows FROM ${table('read')}`)
      expect(kept?.rows).toBe(inserted)
    }
    await until('the end', async () => (await state()).state === 'done', 90)
    expect(await state()).toMatchObject({ inserted: rows - 30, updated: 0, errorCount: 30 })
    const [all] = await loggia.sql('cn', `SELECT count(*)::int AS rows, sum(no)::int AS sum FROM ${table('read')}`)
    const sum = Array.from({ length: rows }, (_none, no) => (no % 1000 === 999 ? 0 : no)).reduce((a, b) => a + b)
    expect(all).toEqual({ rows: rows - 30, sum })
  })

  it('in a type change leaves all of it or nothing, in every data zone', async () => {
    const plain = typed('Changed', keyField('no', 'Integer'), { fieldName: 'words', fieldType: 'String' })
    await newType(plain)
    for (const zone of ['main', 'second'])
      await loggia.sql(
        'cn',
        `INSERT INTO ${table('changed', zone)} (no, words, naturalbase_version, naturalbase_operationtime)
          SELECT g, 'words ' || g, g, 0 FROM generate_series(1, 99000) g`,
      )
    const shape = async () => {
      const { version, list } = await leader.ok(cloudDb, 'getObjectTypes', { query: { projectId, name: 'Changed' } })
      const [type] = list
      const columns = await loggia.sql<{ at: string }>(
        'cn',
        `SELECT table_schema || '.' || column_name AS at FROM information_schema.columns
          WHERE table_name = 'o_changed' AND column_name LIKE 'added%' ORDER BY 1`,
      )
      const indexes = await loggia.sql<{ at: string }>(
        'cn',
        `SELECT indexrelid::regclass::text AS at FROM pg_index WHERE indrelid IN ($1::regclass, $2::regclass)
          AND indexrelid::regclass::text LIKE '%byword%' AND indisvalid ORDER BY 1`,
        [table('changed'), table('changed', 'second')],
      )
      return { version, type, columns: columns.length, indexes: indexes.length }
    }
    let cut = 0
    for (let turn = 0; turn < 4; turn++) {
      const before = await shape()
      const fields = before.type?.fields ?? []
      const indexes = before.type?.indexes ?? []
      const objectType: ObjectType = {
        objectTypeName: 'Changed',
        fields: [...fields, { fieldName: `added${turn}`, fieldType: 'Integer', notNull: true, defaultValue: '7' }],
        indexes: [
          ...indexes,
          { indexName: `byWord${turn}`, indexList: [{ fieldName: 'words', sortType: 'ASC' as const }] },
        ],
        permissions: before.type?.permissions ?? [],
      }
      const answer = leader
        .call(cloudDb, 'changeObjectType', { body: { projectId, objectType, baseVersion: before.version } })
        .then(
          reply => reply.status,
          () => 0,
        )
      await pause(60 * turn)
      await crash()
      const status = await answer
      if (status !== 200) cut++
      const after = await shape()
      const isDone = after.version === before.version + 1
      if (status === 200) expect(isDone).toBe(true)
      const named = (after.type?.fields ?? []).filter(field => field.fieldName.startsWith('added')).length
      expect(after.version).toBe(before.version + (isDone ? 1 : 0))
      expect([named, after.columns, after.indexes]).toEqual([
        fields.length - 2 + (isDone ? 1 : 0),
        before.columns + (isDone ? 2 : 0),
        before.indexes + (isDone ? 2 : 0),
      ])
    }
    expect(cut).toBeGreaterThan(0)
  })

  it('while an index is built beside the work has it built anew, and leaves none by half', async () => {
    const plain = typed('Indexed', keyField('no', 'Integer'), { fieldName: 'words', fieldType: 'String' })
    await newType(plain)
    await loggia.sql(
      'cn',
      `INSERT INTO ${table('indexed')} (no, words, naturalbase_version, naturalbase_operationtime)
        SELECT g, md5(g::text), g, 0 FROM generate_series(1, 400000) g`,
    )
    const { version } = await leader.ok(cloudDb, 'getObjectTypes', { query: { projectId } })
    const indexes = [{ indexName: 'byWords', indexList: [{ fieldName: 'words', sortType: 'ASC' as const }] }]
    const { processId } = await leader.ok(cloudDb, 'changeObjectType', {
      body: { projectId, objectType: { ...plain, indexes }, baseVersion: version },
    })
    const built = () =>
      loggia.sql<{ indisvalid: boolean }>(
        'cn',
        `SELECT indisvalid FROM pg_index WHERE indrelid = $1::regclass AND indexrelid::regclass::text LIKE '%bywords%'`,
        [table('indexed')],
      )
    await until('the index to be begun', async () => (await built()).length > 0, 30, 5)
    await crash()
    await until('the index', async () => (await processOf(processId ?? '')).state === 'done', 90)
    expect(await built()).toEqual([{ indisvalid: true }])
    const { list } = await leader.ok(cloudDb, 'getObjectTypes', { query: { projectId, name: 'Indexed' } })
    expect(list[0]?.indexStates).toEqual({})
  })

  it('among transactions loses none that was acknowledged, and one that is sent again has its effect once', async () => {
    await newType(typed('Account', keyField('id', 'String'), { fieldName: 'money', fieldType: 'Long' }))
    const more = ['payer', 'payee'].map((fieldName): FieldOf => ({ fieldName, fieldType: 'String' }))
    await newType(typed('Payment', keyField('id', 'String'), ...more))
    const ids = Array.from({ length: 8 }, (_none, at) => `a${at}`)
    const start = { objectTypeName: 'Account', objects: ids.map(id => ({ id, money: '1000' })), operationType: 1 }
    expect((await asServer('/v3/syncObjects', start))?.status).toBe(200)
    const acknowledged = new Set<string>()
    const unknown = new Map<string, object>()
    const mostAcknowledged = 150
    let isOn = true
    const pay = async (payer: string, payee: string) => {
      const queryConditions = [{ conditionType: 'In', fieldName: 'id', value: [payer, payee] }]
      const read = await asServer('/v4/syncObjects/queries', { objectTypeName: 'Account', queryConditions })
      const rows = new Map(read?.body.data?.map(row => [row['id'], row]))
      const [from, to] = [rows.get(payer), rows.get(payee)]
      if (!from || !to) return pause(20)
      const moved = ({ id, money }: Record<string, string>, by: bigint) => ({
        id,
        money: String(BigInt(money ?? 0) + by),
      })
      const id = randomUUID()
      const verify = [from, to].map(row => ({ id: row['id'], naturalbase_version: row['naturalbase_version'] }))
      const body = {
        needVerifyObjectsList: [{ objectTypeName: 'Account', objects: verify }],
        transactionList: [
          { operationType: 'Upsert', objectTypeName: 'Account', objects: [moved(from, -1n), moved(to, 1n)] },
          { operationType: 'Upsert', objectTypeName: 'Payment', objects: [{ id, payer, payee }] },
        ],
      }
      const reply = await asServer('/v3/transaction', body, id)
      if (reply?.status === 200) acknowledged.add(id)
      else if (reply === null) unknown.set(id, body)
    }
    const payers = Array.from({ length: 8 }, async (_none, client) => {
      for (let turn = client; isOn; turn += 3) {
        const [payer, payee] = [ids[turn % 8] ?? '', ids[(turn * 5 + 3) % 8] ?? '']
        if (payer !== payee) await pay(payer, payee)
      }
    })
    await until('payments', async () => acknowledged.size >= mostAcknowledged, 60, 5)
    await loggia.end('SIGKILL')
    isOn = false
    await Promise.all(payers)
    await loggia.up()
    const balanced = async () => {
      const accounts = await loggia.sql<{ id: string; money: number }>(
        'cn',
        `SELECT id, money::int FROM ${table('account')}`,
      )
      const payments = await loggia.sql<{ id: string; payer: string; payee: string }>(
        'cn',
        `SELECT id, payer, payee FROM ${table('payment')}`,
      )
      for (const { id, money } of accounts) {
        const got = payments.filter(one => one.payee === id).length
        expect([id, money]).toEqual([id, 1000 + got - payments.filter(one => one.payer === id).length])
      }
      return new Set(payments.map(one => one.id))
    }
    const kept = await balanced()
    for (const id of acknowledged) expect(kept.has(id)).toBe(true)
    // The public client sends what got no answer again with its id: done before or done now, and done once.
    for (const [id, body] of unknown) {
      const again = await asServer('/v3/transaction', body, id)
      if (kept.has(id)) expect(again?.status).toBe(200)
      else expect([200, 409]).toContain(again?.status)
    }
    await balanced()
  })
})
