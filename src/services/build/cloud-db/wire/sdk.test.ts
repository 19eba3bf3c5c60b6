import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ForeignHosts, openForeignHosts } from '../../../../testkit/foreign-hosts.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { field, indexOn, key, type OpenedDb, openDb, typed } from '../cloud-db.testkit.ts'
import { cloudDb } from '../contract.ts'

const sdk = createRequire(import.meta.url).resolve('@agconnect/database-server')

let stage: Stage
let db: OpenedDb
let hosts: ForeignHosts
let origin: string
let prelude: string
beforeAll(async () => {
  stage = await openStage()
  db = await openDb(stage)
  origin = await stage.listen()
  hosts = await openForeignHosts(path.join(stage.dataDir, 'hosts'), () => origin, [
    'connect-api.cloud.huawei.com',
    'connect-api.cloud.huawei.com.cn',
  ])
  const fields = [
    key('id', 'Integer'),
    field('name', 'String'),
    field('price', 'Double'),
    field('stock', 'Long'),
    field('count', 'Integer'),
    field('made', 'Date'),
    field('body', 'Text'),
    field('bytes', 'ByteArray'),
    field('isOn', 'Boolean'),
  ]
  await db.newType(typed('Product', fields, [indexOn('byPrice', 'price'), indexOn('byName', 'name', 'price')]))
  await db.newType(typed('Account', [key('id', 'Long'), field('money', 'Integer')]))
  const classes = await db.owner.call(cloudDb, 'exportObjectType', { body: { projectId: db.projectId, format: 'js' } })
  const credential = {
    type: 'project_client_id',
    project_id: db.projectId,
    region: 'CN',
    developer_id: '1',
    client_id: db.client.clientId,
    client_secret: db.client.secret,
    configuration_version: '3.0',
  }
  // The classes are what the console gives out; the client is the published package as it is.
  prelude = `
    ${classes.text}
    const { writeFileSync } = require('node:fs')
    writeFileSync('credential.json', ${JSON.stringify(JSON.stringify(credential))})
    console.warn = () => {}
    const found = ${JSON.stringify(sdk)}
    const { AGCClient, CredentialParser } = require(require.resolve('@agconnect/common-server', { paths: [found] }))
    const { AGConnectCloudDB, CloudDBZoneConfig, CloudDBZoneQuery, CloudDBZoneObjectOperator, CloudDBZoneObjectOperatorConstraint } = require(found)
    AGCClient.initialize(CredentialParser.toCredential(require('node:path').resolve('credential.json')), 'server', 'CN')
    const client = AGCClient.getInstance('server')
    AGConnectCloudDB.initialize(client)
    const zone = AGConnectCloudDB.getInstance(client).openCloudDBZone(new CloudDBZoneConfig('main'))
    const product = given => Object.assign(new Product(), given)
    const account = given => Object.assign(new Account(), given)
    const failing = work => work().then(() => 'no failure', error => JSON.stringify([error.code, error.errorCode, error.message]))
  `
}, 180_000)
afterAll(async () => {
  await hosts?.close()
  await stage.close()
})

const run = (body: string) =>
  hosts.run(`${prelude}
    ;(async () => { ${body} })().then(answer => console.log(JSON.stringify(answer)), error => console.log(JSON.stringify({ error: String(error), message: error.message })))
    .finally(() => process.exit(0))`)

describe('the public server SDK, unmodified', () => {
  it('inserts, upserts, reads back each kind of value, and deletes', async () => {
    const answer = await run(`
      const made = new Date(1700000000123)
      const inserted = await zone.executeInsert([product({ id: 1, name: 'pen', price: 1.5, stock: '9007199254740993', count: 1, made, body: 'long', bytes: new Uint8Array([0, 255]), isOn: true }), product({ id: 2, name: 'ink', price: 7 })])
      const upserted = await zone.executeUpsert(product({ id: 2, name: 'ink', price: 8, made }))
      const all = (await zone.executeQuery(CloudDBZoneQuery.where(Product).orderByAsc('id'))).getSnapshotObjects()
      const twice = await failing(() => zone.executeInsert(product({ id: 1 })))
      const deleted = await zone.executeDelete(product({ id: 2 }))
      return { inserted, upserted, twice, deleted, all: all.map(one => ({ ...one, made: one.made.getTime(), bytes: one.bytes && [...one.bytes] })) }
    `)
    expect(answer).toMatchObject({
      inserted: 2,
      upserted: 1,
      deleted: 1,
      all: [
        {
          id: 1,
          name: 'pen',
          price: 1.5,
          stock: '9007199254740993',
          made: 1_700_000_000_123,
          bytes: [0, 255],
          isOn: true,
        },
        { id: 2, name: 'ink', price: 8, made: 1_700_000_000_123, bytes: null },
      ],
    })
    expect(String((answer as { twice: unknown }).twice)).toContain('2002044')
  })

  it('asks with every condition, sums, pages and counts up', async () => {
    const answer = await run(`
      await zone.executeDeleteAll(Product)
      await zone.executeUpsert(Array.from({ length: 30 }, (_one, at) => product({ id: at + 1, name: 'p' + (at % 3), price: at, count: at })))
      const ids = async query => (await zone.executeQuery(query)).getSnapshotObjects().map(one => one.id)
      const where = () => CloudDBZoneQuery.where(Product)
      const first = (await zone.executeQuery(where().orderByAsc('price').limit(5))).getSnapshotObjects()
      const operator = CloudDBZoneObjectOperator.build(product({ id: 3 })).increment('count', 5).update('name', 'three')
      return {
        equal: await ids(where().equalTo('name', 'p1').orderByDesc('price').limit(2)),
        range: await ids(where().greaterThan('price', 3).lessThanOrEqualTo('price', 5).orderByAsc('id')),
        inside: await ids(where().in('id', [4, 5, 99]).orderByAsc('id')),
        begins: await ids(where().beginsWith('name', 'p2').limit(1)),
        ends: (await ids(where().endsWith('name', '0'))).length,
        holds: (await ids(where().contains('name', '1'))).length,
        none: await ids(where().isNull('made').notEqualTo('id', 1).orderByAsc('id').limit(2, 1)),
        next: await ids(where().orderByAsc('price').startAfter(first[4]).limit(3)),
        before: await ids(where().orderByAsc('price').endBefore(first[4]).limit(2)),
        sum: await zone.executeSumQuery(where(), 'price'),
        average: await zone.executeAverageQuery(where().lessThan('price', 4), 'price'),
        most: await zone.executeMaximumQuery(where(), 'count'),
        least: await zone.executeMinimalQuery(where(), 'price'),
        count: await zone.executeCountQuery(where().equalTo('name', 'p0'), 'id'),
        updated: await zone.executeUpdate(operator),
        unmet: await zone.executeUpdate(operator, CloudDBZoneObjectOperatorConstraint.where(Product).equalTo('name', 'else')),
        three: (await zone.executeQuery(where().equalTo('id', 3))).getSnapshotObjects().map(one => [one.name, one.count]),
        all: await zone.executeDeleteAll(Product),
      }
    `)
    expect(answer).toEqual({
      ...{ equal: [29, 26], range: [5, 6], inside: [4, 5], begins: [3], ends: 10, holds: 10, none: [3, 4] },
      ...{
        next: [6, 7, 8],
        before: [3, 4],
        sum: 435,
        average: 1.5,
        most: 29,
        least: 0,
        count: 10,
        updated: 1,
        unmet: 0,
      },
      ...{ three: [['three', 7]], all: 30 },
    })
  })

  it('moves money in transactions without losing or making any, with four clients at once', async () => {
    const answer = await run(`
      await zone.executeUpsert([account({ id: '1', money: 100 }), account({ id: '2', money: 100 })])
      const move = () => zone.runTransaction({ apply: async transaction => {
        const [from, to] = [await transaction.executeQuery(CloudDBZoneQuery.where(Account).equalTo('id', '1')), await transaction.executeQuery(CloudDBZoneQuery.where(Account).equalTo('id', '2'))]
        from[0].money -= 1; to[0].money += 1
        transaction.executeUpsert([from[0]]); transaction.executeUpsert([to[0]])
        return true
      } })
      let done = 0
      await Promise.all([1, 2, 3, 4].map(async () => { for (let at = 0; at < 5; at++) if (await move().catch(() => false)) done++ }))
      const rows = (await zone.executeQuery(CloudDBZoneQuery.where(Account).orderByAsc('id'))).getSnapshotObjects()
      return { done, first: rows[0].money, second: rows[1].money }
    `)
    const { done, first, second } = answer as { done: number; first: number; second: number }
    expect(done).toBeGreaterThan(0)
    expect([first, second]).toEqual([100 - done, 100 + done])
  })

  it('deletes the key that an app wrapped for a user', async () => {
    const user = await db.user()
    await db.as(user, 'PUT', '/v3/userKey', { userKey: 'wrapped' })
    const answer = await run(`
      const database = AGConnectCloudDB.getInstance(client)
      return [await database.executeDeleteUserKey('${user.uid}'), await database.executeDeleteUserKey('${user.uid}')]
    `)
    expect(answer).toEqual([1, 0])
  })
})
