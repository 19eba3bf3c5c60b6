import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { store } from '../contract.ts'
import { dayMs } from '../rules.ts'
import { changeRecord, type OnShelf, putApp, putOnShelf, signer } from '../shelf.testkit.ts'

let stage: Stage
let owner: Person
let one: OnShelf
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  owner = await stage.person({ zone: 'DE' })
  const appId = stage.booted.server.ids.next()
  await putApp(stage, appId, owner.teamId)
  one = await putOnShelf(stage, {
    packageName: 'com.example.paid',
    versionCode: '4',
    zone: 'DE',
    appId,
    teamId: owner.teamId,
  })
})
afterAll(() => stage.close())

const userIdHash = randomBytes(32).toString('hex')
const asked = (more: Record<string, unknown> = {}) => ({
  body: { packageName: 'com.example.paid', versionCode: '4', certSha256: signer, userIdHash, ...more },
})
const partOf = (text: string | undefined) => JSON.parse(Buffer.from(text ?? '', 'base64url').toString())

describe('the licence of a copy', () => {
  it('is checked by the app with the key that its developer built in', async () => {
    const key = await owner.ok(store, 'getLicenceKey', { query: { appId: one.appId } })
    const again = await owner.ok(store, 'getLicenceKey', { query: { appId: one.appId } })
    expect([key.alg, key.pem, key.kid]).toEqual(['RS256', again.pem, again.kid])
    const nonce = 'nonce-of-the-app'
    const { licence, expiresAt } = await stage.anybody.ok(store, 'issueLicence', asked({ nonce }))
    const [head, claims, signature] = licence.split('.')
    const isOurs = (text: string) =>
      verify('sha256', Buffer.from(text), createPublicKey(key.pem), Buffer.from(signature ?? '', 'base64url'))
    expect(isOurs(`${head}.${claims}`)).toBe(true)
    expect(isOurs(`${head}.${claims}x`)).toBe(false)
    expect(partOf(head)).toEqual({ alg: 'RS256', typ: 'JWT', kid: key.kid })
    expect(partOf(claims)).toEqual({
      iss: 'http://localhost:8080',
      package: 'com.example.paid',
      versionCode: '4',
      userIdHash,
      sub: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      iat: Math.floor((expiresAt - 7 * dayMs) / 1000),
      exp: Math.floor(expiresAt / 1000),
      nonce,
    })
  })

  it('names its user to each team in another way, and for 60 days after a move also as the old team knew him', async () => {
    const { server } = stage.booted
    const [oldTeam, newTeam] = [server.ids.next(), server.ids.next()]
    const put = (packageName: string, teamId: string) => putOnShelf(stage, { packageName, versionCode: '4', teamId })
    const moved = await put('com.example.moved', oldTeam)
    await put('com.example.stays', oldTeam)
    await put('com.example.other', newTeam)
    const said = async (packageName: string) => {
      const { licence } = await stage.anybody.ok(store, 'issueLicence', asked({ packageName }))
      const { sub, previousSub } = partOf(licence.split('.')[1])
      return { sub, previousSub }
    }
    const before = await said('com.example.moved')
    expect(await said('com.example.stays')).toEqual(before)
    expect(before.previousSub).toBeUndefined()
    await changeRecord(stage, moved, `team_id = ${newTeam}`)
    await stage.sql(
      'home',
      `INSERT INTO app_moves (move_id, from_team_id, to_team_id, zone, app_ids, apps, keeps_testers, state, expires_at,
          created_by, finished_at, created_at, updated_at)
        VALUES ($1, $2, $3, 'CN', ARRAY[$4::bigint], '[]', true, 'DONE', 0, 1, $5, 0, 0)`,
      [server.ids.next(), oldTeam, newTeam, moved.appId, stage.clock.now()],
    )
    const after = await said('com.example.moved')
    expect(after).toEqual({ sub: (await said('com.example.other')).sub, previousSub: before.sub })
    expect(after.sub).not.toBe(before.sub)
    await stage.sql('home', 'UPDATE app_moves SET finished_at = $2 WHERE app_ids @> ARRAY[$1::bigint]', [
      moved.appId,
      stage.clock.now() - 60 * dayMs,
    ])
    expect(await said('com.example.moved')).toEqual({ sub: after.sub })
  })

  it('is refused to what the store did not publish or took off, and to copies signed by others', async () => {
    const status = async (more: Record<string, unknown>) =>
      (await stage.anybody.call(store, 'issueLicence', asked(more))).status
    expect(await status({ versionCode: '5' })).toBe(404)
    expect(await status({ packageName: 'com.example.free' })).toBe(404)
    expect(await status({ certSha256: 'b'.repeat(64) })).toBe(422)
    await changeRecord(stage, one, "state = 'off', is_forced_off = true")
    expect(await status({})).toBe(404)
    await changeRecord(stage, one, "state = 'on_shelf', is_forced_off = false")
    expect(await status({})).toBe(200)
  })

  it('has a key of its own for each app, sealed at rest and shown to its team alone', async () => {
    const other = stage.booted.server.ids.next()
    await putApp(stage, other, owner.teamId)
    const keys = await Promise.all(
      [one.appId, other, other].map(appId => owner.ok(store, 'getLicenceKey', { query: { appId } })),
    )
    expect(keys[0]?.kid).not.toBe(keys[1]?.kid)
    expect(keys[1]?.pem).toBe(keys[2]?.pem)
    const rows = await stage.sql<Record<string, unknown>>('home', 'SELECT * FROM store_licence_keys')
    expect(JSON.stringify(rows)).not.toContain('PRIVATE')
    const stranger = await stage.person({ zone: 'DE' })
    expect((await stranger.call(store, 'getLicenceKey', { query: { appId: other } })).status).toBe(404)
  })
})

describe('the tree of categories', () => {
  it('has every name in three languages and counts the apps on shelf', async () => {
    await stage.sql('home', 'UPDATE store_records SET category = 10101 WHERE version_id = $1', [one.versionId])
    await changeRecord(stage, one, 'priority = 1')
    const { list } = await stage.anybody.ok(store, 'listKinds', { body: {} })
    const counted = list.filter(kind => kind.apps > 0).map(kind => [kind.id, kind.apps])
    expect(counted).toEqual([
      [1, 1],
      [101, 1],
      [10101, 1],
    ])
    for (const kind of list) expect(Object.values(kind.nameByLang).every(name => name !== '')).toBe(true)
    const below = await stage.anybody.ok(store, 'listKinds', { body: { parentId: 101, lang: 'ru-RU' } })
    expect(below.list.every(kind => kind.parentId === 101)).toBe(true)
    expect(below.list[0]?.name).toBe(below.list[0]?.nameByLang.ruRU)
    const nowhere = await stage.anybody.call(store, 'listKinds', { body: { parentId: 99_999_999 } })
    expect(nowhere.status).toBe(422)
  })
})
