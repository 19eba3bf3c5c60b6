import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { at, field, key, matrix, type OpenedDb, openDb, putAll, typed, where } from '../cloud-db.testkit.ts'
import { cloudDb } from '../contract.ts'
import type { ObjectType } from '../schema/contract.ts'
import { cloudDbSecurity } from '../security/contract.ts'

let stage: Stage
let db: OpenedDb
let address: string
beforeAll(async () => {
  stage = await openStage()
  db = await openDb(stage)
  address = (await stage.listen()).replace('http', 'ws')
})
afterAll(() => stage.close())

type Frame = {
  op: string
  subId?: string
  data?: Record<string, unknown>[]
  added: Record<string, unknown>[]
  modified: Record<string, unknown>[]
  removed: Record<string, unknown>[]
  code?: number
  version?: string
}

/** One line of an app; frames are kept as they come. */
class Listener {
  readonly frames: Frame[] = []
  readonly socket: WebSocket

  constructor(headers: Record<string, string>, from = address) {
    this.socket = new WebSocket(`${from}/agc/apigw/clouddb/subscribe`, { headers })
    this.socket.on('message', data => this.frames.push(JSON.parse(String(data))))
  }

  async listen(type: string, conditions: object[] = [], more: object = {}): Promise<void> {
    if (this.socket.readyState === this.socket.CONNECTING) await once(this.socket, 'open')
    this.say({ op: 'SUB', subId: 's', zone: 'main', type, queryConditions: conditions, ...more })
    await expect.poll(() => this.frames.length, { timeout: 5000 }).toBeGreaterThan(0)
  }

  say(frame: object): void {
    this.socket.send(JSON.stringify(frame))
  }

  /** What the app shows by now: the first rows with every change put in. */
  get rows(): Map<string, Record<string, unknown>> {
    const rows = new Map<string, Record<string, unknown>>()
    for (const frame of this.frames) {
      if (frame.op === 'RESYNC') rows.clear()
      for (const row of frame.data ?? []) rows.set(String(row['id']), row)
      for (const row of [...(frame.added ?? []), ...(frame.modified ?? [])]) rows.set(String(row['id']), row)
      for (const row of frame.removed ?? []) rows.delete(String(row['id']))
    }
    return rows
  }

  get ids(): string[] {
    return [...this.rows.keys()].sort()
  }

  close(): void {
    this.socket.close()
  }
}

const open = (who: { headers: Record<string, string> }, from?: string) => new Listener(who.headers, from)
const shows = (listener: Listener, ids: string[]) =>
  expect.poll(() => listener.ids, { timeout: 10_000, interval: 20 }).toEqual(ids)
const post = (
  name: string,
  permissions = matrix({ World: 'R', Authenticated: 'RU', Creator: 'RUD', Administrator: 'RUD' }),
): ObjectType => ({
  ...typed(name, [
    key('id'),
    field('title', 'String'),
    field('rank', 'Integer'),
    field('isOpen', 'Boolean'),
    field('secret', 'String', { isSensitive: true }),
  ]),
  permissions,
})
const put = (type: string, ...objects: object[]) => putAll(db, type, objects)
const remove = (type: string, id: string) =>
  db.asServer('DELETE', '/v3/syncObjects', { ...at(type), objects: [{ id }] })
const markNow = async (type: string) => {
  const listener = open(await db.nobody())
  await listener.listen(type)
  listener.close()
  return listener.frames.findLast(frame => frame.version)?.version
}
const publish = async (source: string) => {
  const { version } = await db.owner.ok(cloudDbSecurity, 'getSecurityRules', { query: { projectId: db.projectId } })
  await db.owner.ok(cloudDbSecurity, 'putSecurityRules', {
    body: { projectId: db.projectId, source, baseVersion: version },
  })
}

describe('a listener', () => {
  it('gets the rows that are there, then what comes, changes, no longer matches and goes', async () => {
    await db.newType(post('Post'))
    await put('Post', { id: 'a', rank: 1, secret: 'x' }, { id: 'b', rank: 9 })
    const listener = open(await db.nobody())
    await listener.listen('Post', [where('LessThan', 'rank', 5)])
    expect(listener.frames[0]).toMatchObject({ op: 'SNAPSHOT', subId: 's', data: [{ id: 'a', rank: 1, secret: 'x' }] })
    await put('Post', { id: 'c', rank: 2 }, { id: 'd', rank: 7 })
    await shows(listener, ['a', 'c'])
    await put('Post', { id: 'a', rank: 3 })
    await expect.poll(() => listener.rows.get('a')?.['rank'], { timeout: 5000 }).toBe(3)
    await put('Post', { id: 'a', rank: 30 })
    await shows(listener, ['c'])
    await remove('Post', 'c')
    await shows(listener, [])
    const removed = listener.frames.flatMap(frame => frame.removed ?? [])
    expect(removed).toEqual([{ id: 'a' }, { id: 'c' }])
    listener.close()
  })

  it('on another process hears of the same', async () => {
    await db.newType(post('Far'))
    const other = await stage.another()
    const listener = open(
      await db.nobody(),
      (await other.app.listen({ port: 0, host: '127.0.0.1' })).replace('http', 'ws'),
    )
    await listener.listen('Far')
    await put('Far', { id: 'x' }, { id: 'y' })
    await shows(listener, ['x', 'y'])
    listener.close()
  })

  it('that comes back goes on where it was, or is given all anew when the log no longer reaches', async () => {
    await db.newType(post('Log'))
    await put('Log', { id: 'a' })
    const first = open(await db.nobody())
    await first.listen('Log')
    const version = first.frames.findLast(frame => frame.version)?.version
    first.close()
    await put('Log', { id: 'b' })
    const second = open(await db.nobody())
    await second.listen('Log', [], { resumeVersion: version })
    // What was written while something else was still open may be told a second time, never too little.
    await expect.poll(() => second.ids, { timeout: 10_000, interval: 20 }).toContain('b')
    expect(second.frames[0]?.op).toBe('RESUMED')
    expect(second.frames.filter(frame => frame.op === 'SNAPSHOT')).toEqual([])
    second.close()
    await stage.sql('CN', 'UPDATE cdb_changes SET at = 1')
    await stage.booted.worker.sweep()
    expect(await stage.sql('CN', 'SELECT 1 FROM cdb_changes')).toEqual([])
    const emptied = open(await db.nobody())
    await emptied.listen('Log', [], { resumeVersion: version })
    await shows(emptied, ['a', 'b'])
    expect(emptied.frames[0]?.op).toBe('SNAPSHOT')
    emptied.close()
    await put('Log', { id: 'c' })
    const third = open(await db.nobody())
    await third.listen('Log', [], { resumeVersion: version })
    await shows(third, ['a', 'b', 'c'])
    third.close()
    // Marks move once a second: from one that lies behind the cut nobody could go on.
    const [cut] = await stage.sql('CN', `SELECT xid::text FROM cdb_log_marks WHERE name = 'cut'`)
    await expect
      .poll(async () => BigInt((await markNow('Log')) ?? 0), { timeout: 10_000 })
      .toBeGreaterThan(BigInt(cut?.xid))
  })

  it('that comes back is told what it may see itself, whoever else listens', async () => {
    await db.newType(post('Kept', matrix({ Creator: 'RUD', Administrator: 'RUD' })))
    const [mine, other] = [await db.user(), await db.user()]
    const writes = (who: { headers: Record<string, string> }, id: string) =>
      db.as(who, 'POST', '/v3/syncObjects', { ...at('Kept'), objects: [{ id }], operationType: 0 })
    await writes(mine, 'mine')
    const first = open(mine)
    await first.listen('Kept')
    const version = first.frames.findLast(frame => frame.version)?.version
    first.close()
    const everything = open({ headers: db.serverHeaders })
    await everything.listen('Kept')
    await writes(other, 'theirs')
    await writes(mine, 'mine too')
    await shows(everything, ['mine', 'mine too', 'theirs'])
    const second = open(mine)
    await second.listen('Kept', [], { resumeVersion: version })
    await expect.poll(() => second.ids, { timeout: 10_000, interval: 20 }).toContain('mine too')
    expect(second.frames[0]?.op).toBe('RESUMED')
    expect(second.ids).not.toContain('theirs')
    second.close()
    everything.close()
  })

  it('of an app built with an older schema is shown the fields of that one, in every frame', async () => {
    const older = await db.newType(post('Aged'))
    await put('Aged', { id: 'a', title: 'x' })
    const { headers } = await db.nobody()
    const [before, after] = [open({ headers: { ...headers, appver: String(older) } }), open({ headers })]
    await before.listen('Aged')
    await after.listen('Aged')
    const objectType = post('Aged')
    objectType.fields.push(field('extra', 'String'))
    await db.owner.ok(cloudDb, 'changeObjectType', {
      body: { projectId: db.projectId, objectType, baseVersion: older },
    })
    await expect.poll(() => after.frames.some(frame => frame.op === 'SCHEMA_CHANGED'), { timeout: 10_000 }).toBe(true)
    await put('Aged', { id: 'b', title: 'y', extra: 'new' })
    await shows(before, ['a', 'b'])
    await shows(after, ['a', 'b'])
    expect(before.rows.get('b')).toMatchObject({ title: 'y' })
    expect(JSON.stringify(before.frames)).not.toContain('extra')
    expect(after.rows.get('b')).toMatchObject({ title: 'y', extra: 'new' })
    const late = open({ headers: {} })
    await once(late.socket, 'open')
    late.say({ op: 'AUTH', authorization: headers['authorization'], appVer: String(older) })
    await expect.poll(() => late.frames.map(frame => frame.op)).toContain('AUTHED')
    late.say({ op: 'SUB', subId: 's', zone: 'main', type: 'Aged', queryConditions: [] })
    await shows(late, ['a', 'b'])
    expect(JSON.stringify(late.frames)).not.toContain('extra')
    late.say({
      op: 'SUB',
      subId: 'bad',
      zone: 'main',
      type: 'Aged',
      queryConditions: [where('EqualTo', 'extra', 'new')],
    })
    await expect.poll(() => late.frames.find(frame => frame.op === 'ERROR')?.code).toBe(3037011)
    for (const one of [before, after, late]) one.close()
  })

  it('hears of a type that was emptied, and of a schema that changed', async () => {
    await db.newType(post('Whole'))
    await put('Whole', { id: 'a' })
    const listener = open(await db.nobody())
    await listener.listen('Whole')
    await shows(listener, ['a'])
    await db.asServer('DELETE', '/v3/syncAllObjects', at('Whole'))
    await shows(listener, [])
    await db.newType(post('Another'))
    await expect.poll(() => listener.frames.some(frame => frame.op === 'SCHEMA_CHANGED'), { timeout: 8000 }).toBe(true)
    listener.close()
  })

  it.each<[string, object]>([
    ['no JSON', 'nonsense' as never],
    ['an unknown op', { op: 'DROP' }],
    ['an unknown type', { op: 'SUB', subId: 'x', zone: 'main', type: 'Nothing' }],
    [
      'a limit',
      {
        op: 'SUB',
        subId: 'x',
        zone: 'main',
        type: 'Post',
        queryConditions: [{ conditionType: 'Limit', value: { number: 1 } }],
      },
    ],
    [
      'a field that tricks',
      { op: 'SUB', subId: 'x', zone: 'main', type: 'Post', queryConditions: [where('EqualTo', 'id" OR 1=1 --', 'x')] },
    ],
    ['a prototype', { op: 'SUB', subId: 'x', zone: 'main', type: '__proto__', queryConditions: [] }],
  ])('is told what is wrong, and the line goes on: %s', async (_name, frame) => {
    const listener = open(await db.nobody())
    await once(listener.socket, 'open')
    listener.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
    await expect.poll(() => listener.frames[0]?.op, { timeout: 5000 }).toBe('ERROR')
    listener.say({ op: 'PING' })
    await expect.poll(() => listener.frames[1]?.op, { timeout: 5000 }).toBe('PONG')
    listener.close()
  })

  it('without a token is turned away', async () => {
    const listener = new Listener({})
    await once(listener.socket, 'open')
    listener.say({ op: 'SUB', subId: 'x', zone: 'main', type: 'Post' })
    const [code] = await once(listener.socket, 'close')
    expect(code).toBe(4401)
  })

  it('has at most a hundred queries on a line', async () => {
    const listener = open(await db.nobody())
    await once(listener.socket, 'open')
    for (let one = 0; one <= 100; one++) listener.say({ op: 'SUB', subId: `s${one}`, zone: 'main', type: 'Post' })
    await expect
      .poll(() => listener.frames.find(frame => frame.op === 'ERROR')?.code, { timeout: 20_000 })
      .toBe(3047001)
    listener.close()
  })
})

describe('what listeners may not see (Parse Server GHSA-7ch5, GHSA-fph2, GHSA-m983, GHSA-97pr)', () => {
  it('of rows that are the makers’ own, each hears of his own only', async () => {
    await db.newType(post('Diary', matrix({ Creator: 'RUD', Administrator: 'RUD' })))
    const [one, two] = [await db.user(), await db.user()]
    const listeners = [open(one), open(two)]
    for (const listener of listeners) await listener.listen('Diary')
    await db.as(one, 'POST', '/v3/syncObjects', { ...at('Diary'), objects: [{ id: 'of-one' }], operationType: 1 })
    await db.as(two, 'POST', '/v3/syncObjects', { ...at('Diary'), objects: [{ id: 'of-two' }], operationType: 1 })
    await shows(listeners[0] as Listener, ['of-one'])
    await shows(listeners[1] as Listener, ['of-two'])
    expect(JSON.stringify(listeners[0]?.frames)).not.toContain('of-two')
    const nobody = open(await db.nobody())
    await nobody.listen('Diary')
    expect(nobody.frames[0]).toMatchObject({ op: 'ERROR', code: 2001015 })
    for (const listener of [...listeners, nobody]) listener.close()
  })

  it('by rules that look at rows: seen, changed to unseen, deleted while unseen', async () => {
    await db.newType(post('Ruled'))
    await publish(`agc.cloud.db[
      match: /{zone}/{type}/{id} { allow read, write; }
      ]`)
    await publish(`agc.cloud.db[
      match: /{zone}/Ruled/{id} { allow read: if resource.data.isOpen == true || request.auth != null; allow write; }
      match: /{zone}/Post/{id} { allow read, write; }
      ]`)
    const [nobody, user] = [open(await db.nobody()), open(await db.user())]
    for (const listener of [nobody, user]) await listener.listen('Ruled')
    await put('Ruled', { id: 'open', isOpen: true }, { id: 'shut', isOpen: false })
    await shows(user, ['open', 'shut'])
    await shows(nobody, ['open'])
    await put('Ruled', { id: 'open', isOpen: false, title: 'hidden words' })
    await shows(nobody, [])
    await remove('Ruled', 'shut')
    await shows(user, ['open'])
    expect(JSON.stringify(nobody.frames)).not.toMatch(/shut|hidden words/)
    await publish(`agc.cloud.db[
      match: /{zone}/Ruled/{id} { allow read: if resource.data.isOpen == true; allow write; }
      ]`)
    await shows(user, [])
    for (const listener of [nobody, user]) listener.close()
  })

  it('when the rights of everybody are taken back, what was seen is taken away', async () => {
    await db.newType(post('Taken', matrix({ World: 'R', Administrator: 'RUD' })))
    await publish(`agc.cloud.db[ match: /{zone}/{type}/{id} { allow read, write; } ]`)
    await put('Taken', { id: 'a' })
    const listener = open(await db.nobody())
    await listener.listen('Taken')
    await shows(listener, ['a'])
    const { version } = await db.owner.ok(cloudDb, 'getObjectTypes', { query: { projectId: db.projectId } })
    const objectType = post('Taken', matrix({ Administrator: 'RUD' }))
    await db.owner.ok(cloudDb, 'changeObjectType', {
      body: { projectId: db.projectId, objectType, baseVersion: version },
    })
    await shows(listener, [])
    await expect.poll(() => listener.frames.some(frame => frame.op === 'DENIED'), { timeout: 8000 }).toBe(true)
    await put('Taken', { id: 'b' })
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(listener.ids).toEqual([])
    listener.close()
  })
})

describe('the live view', () => {
  it('shows who listens, by what they see', async () => {
    await db.newType(post('Seen'))
    const listeners = [open(await db.nobody()), open(await db.nobody()), open(await db.user())]
    for (const listener of listeners) await listener.listen('Seen')
    const look = () => db.owner.ok(cloudDb, 'listListeners', { query: { projectId: db.projectId } })
    await expect
      .poll(async () => (await look()).groups.find(group => group.type === 'Seen')?.subscribers, { timeout: 15_000 })
      .toBe(3)
    for (const listener of listeners) listener.close()
    // Sooner than a report of a process that ended goes stale.
    await expect.poll(async () => (await look()).connections, { timeout: 12_000 }).toBe(0)
  })
})
