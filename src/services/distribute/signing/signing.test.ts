import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commonErrors } from '../../../kernel/errors.ts'
import { systemContext } from '../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { recordShelf } from '../apps/public.ts'
import { androidSuite } from '../packages/apk/android-suite.testkit.ts'
import { newApp } from '../packages/packages.testkit.ts'
import { signing } from './contract.ts'
import { keySuite } from './key-suite.testkit.ts'
import { encryptedFor, type OwnKey, ownKey, storeContent } from './signing.testkit.ts'

const hour = 3_600_000
const { errors } = signing

let stage: Stage
let leader: Person
let administrator: Person
let developer: Person
let stranger: Person
beforeAll(async () => {
  stage = await openStage()
  leader = await stage.person()
  administrator = await stage.person({ team: leader.teamId, roles: ['administrator'] })
  developer = await stage.person({ team: leader.teamId, roles: ['developer'] })
  stranger = await stage.person()
})
afterAll(() => stage.close())

const put = (who: Person, body: Parameters<typeof bodyOf>[0]) =>
  who.call(signing, 'putSigningKey', { body: bodyOf(body) })
const bodyOf = (body: {
  appId: string
  action: 'GENERATE' | 'IMPORT' | 'ROTATE' | 'DISCARD'
  algorithm?: 'RSA4096' | 'EC_P256'
  encryptedKey?: string
  revision?: number
}) => body
const keyOf = (appId: string, who = leader) => who.ok(signing, 'getSigningKey', { query: { appId } })
const uploads = (appId: string) => leader.ok(signing, 'getUploadCertificate', { query: { appId } })
const register = (who: Person, appId: string, certPem: string) =>
  who.call(signing, 'putUploadCertificate', { body: { appId, certPem } })
const settle = (who: Person, appId: string, action: 'APPROVE' | 'CANCEL') =>
  who.call(signing, 'putUploadCertificate', { body: { appId, action } })
const codeOf = (reply: { status: number; body: { ret: { code: number } } }) => [reply.status, reply.body.ret.code]
const rowOf = (row: readonly [number, number, string]) => [row[1], row[0]]
const eventsOf = async (appId: string) =>
  (
    await stage.sql<{ type: string; to: string | null }>(
      'CN',
      `SELECT type, data->>'to' AS to FROM outbox WHERE data->>'appId' = $1 AND type LIKE 'signing.%' ORDER BY event_id`,
      [appId],
    )
  ).map(row => `${row.type} ${row.to}`)

describe('who signs an app', () => {
  it('is nobody before anything was accepted; everybody of the team may look, leaders and administrators act', async () => {
    const { appId } = await newApp(leader)
    const own = await keyOf(appId, administrator)
    expect([own.mode, own.appKey, own.lineage, own.allowedActions]).toEqual(['NONE', null, [], ['generate', 'import']])
    const seen = await keyOf(appId, developer)
    expect([seen.mode, seen.importKey, seen.allowedActions]).toEqual(['NONE', null, []])
    const reply = await put(developer, { appId, action: 'GENERATE' })
    expect(codeOf(reply)).toEqual(rowOf(commonErrors.notAllowed))
  })

  it('is the store once it made a key, which can be given back until it signed something', async () => {
    const { appId } = await newApp(leader)
    const made = await leader.ok(signing, 'putSigningKey', { body: { appId, action: 'GENERATE' } })
    expect([made.mode, made.appKey?.source, made.appKey?.certificate.keyBits]).toEqual(['STORE', 'GENERATED', 4096])
    expect(made.appKey?.certPem).toContain('BEGIN CERTIFICATE')
    expect(made.allowedActions).toEqual(['rotate', 'discard'])
    const again = await put(leader, { appId, action: 'GENERATE' })
    expect(codeOf(again)).toEqual(rowOf(commonErrors.stateNotAllowed))
    expect((await leader.ok(signing, 'putSigningKey', { body: { appId, action: 'DISCARD' } })).mode).toBe('NONE')
    const small = await leader.ok(signing, 'putSigningKey', {
      body: { appId, action: 'GENERATE', algorithm: 'EC_P256' },
    })
    expect([small.appKey?.certificate.keyAlgorithm, small.appKey?.certificate.keyBits]).toEqual(['EC', 256])
    await stage.sql('CN', 'UPDATE app_signing_keys SET used_at = 1 WHERE app_id = $1', [appId])
    expect(codeOf(await put(leader, { appId, action: 'DISCARD' }))).toEqual(rowOf(errors.keyInUse))
    expect(await eventsOf(appId)).toEqual([
      'signing.mode.changed STORE',
      'signing.mode.changed NONE',
      'signing.mode.changed STORE',
    ])
  })

  it('is the store, with a key in use, where it signed bundles before there was a choice', async () => {
    const { appId } = await newApp(leader)
    await leader.ok(signing, 'putSigningKey', { body: { appId, action: 'GENERATE', algorithm: 'EC_P256' } })
    await stage.sql(
      'CN',
      `WITH old AS (DELETE FROM app_signing_keys WHERE app_id = $1 RETURNING *)
        INSERT INTO app_signing_keys (app_id, team_id, sealed_key, certificate, cert_sha256, upload_cert_sha256, created_at)
        SELECT app_id, team_id, sealed_key, certificate, cert_sha256, repeat('ab', 32), created_at FROM old`,
      [appId],
    )
    const { mode, isUsed, allowedActions } = await keyOf(appId)
    expect([mode, isUsed, allowedActions]).toEqual(['STORE', true, ['rotate']])
  })

  it('is not changed by who read an older revision, nor for a type of app that the store does not sign', async () => {
    const { appId } = await newApp(leader)
    const { revision } = await keyOf(appId)
    await leader.ok(signing, 'putSigningKey', { body: { appId, action: 'GENERATE', algorithm: 'EC_P256', revision } })
    const stale = await put(leader, { appId, action: 'DISCARD', revision })
    expect(codeOf(stale)).toEqual(rowOf(commonErrors.stale))
    const web = await newApp(leader, 'Web', 'WEB')
    expect(codeOf(await put(leader, { appId: web.appId, action: 'GENERATE' }))).toEqual(rowOf(errors.notAndroid))
  })

  it('is told to whoever manages keys, and to nobody else', async () => {
    const { appId } = await newApp(leader, 'Told')
    await leader.ok(signing, 'putSigningKey', { body: { appId, action: 'GENERATE', algorithm: 'EC_P256' } })
    await stage.settle()
    const told = await stage.sql<{ account_id: string }>(
      'CN',
      `SELECT account_id FROM notices WHERE entity_id = $1 AND kind = 'signing.mode.changed'`,
      [appId],
    )
    expect(told.map(one => one.account_id).sort()).toEqual([leader.accountId, administrator.accountId].sort())
  })
})

keySuite('a key that is imported', () => {
  it.each(['rsa:2048', 'ec'] as const)('signs the app from then on: %s', async kind => {
    const { appId } = await newApp(leader)
    const key = await ownKey({ kind })
    const encryptedKey = await encryptedFor(leader, appId, storeContent(key))
    const taken = await leader.ok(signing, 'putSigningKey', { body: { appId, action: 'IMPORT', encryptedKey } })
    expect([taken.mode, taken.appKey?.source]).toEqual(['STORE', 'IMPORTED'])
    expect(taken.appKey?.certificate.certSha256).toBe(key.certSha256)
  })

  const refused = async (key: OwnKey, more: Record<string, unknown> = {}) => {
    const { appId } = await newApp(leader)
    const encryptedKey = await encryptedFor(leader, appId, storeContent(key), more)
    return put(leader, { appId, action: 'IMPORT', encryptedKey })
  }

  it('is refused when it is weak or its certificate lives less than 25 years', async () => {
    expect(codeOf(await refused(await ownKey({ kind: 'rsa:1024' })))).toEqual(rowOf(errors.keyWeak))
    const short = await refused(await ownKey({ days: 9_000 }))
    expect(codeOf(short)).toEqual(rowOf(errors.keyWeak))
    expect(short.body.ret.msg).toContain('9000 days')
  })

  it('is refused when it signs another app, whosever that is and by whomever it is signed', async () => {
    const key = await ownKey()
    const { appId } = await newApp(stranger)
    const encryptedKey = await encryptedFor(stranger, appId, storeContent(key))
    await stranger.ok(signing, 'putSigningKey', { body: { appId, action: 'IMPORT', encryptedKey } })
    expect(codeOf(await refused(key))).toEqual(rowOf(errors.keyAlreadyUsedByOtherApp))
    const pinned = await ownKey()
    const other = await newApp(stranger)
    await stage.sql(
      'CN',
      `INSERT INTO app_signing_keys (app_id, team_id, state, developer_cert_sha256, created_at)
        VALUES ($1, $2, 'DEVELOPER', $3, 1)`,
      [other.appId, stranger.teamId, pinned.certSha256],
    )
    expect(codeOf(await refused(pinned))).toEqual(rowOf(errors.keyAlreadyUsedByOtherApp))
  })

  it('that was sent before is refused: for the same app, for another one, for another team, and late', async () => {
    const { appId } = await newApp(leader)
    const key = await ownKey()
    const encryptedKey = await encryptedFor(leader, appId, storeContent(key))
    await leader.ok(signing, 'putSigningKey', { body: { appId, action: 'IMPORT', encryptedKey } })
    const again = await put(leader, { appId, action: 'IMPORT', encryptedKey })
    expect(codeOf(again)).toEqual(rowOf(commonErrors.stateNotAllowed))
    const rotated = await put(leader, { appId, action: 'ROTATE', encryptedKey })
    expect(codeOf(rotated)).toEqual(rowOf(errors.keyAlreadyUsedByOtherApp))
    const other = await newApp(leader)
    const elsewhere = await put(leader, { appId: other.appId, action: 'IMPORT', encryptedKey })
    expect(codeOf(elsewhere)).toEqual(rowOf(errors.importForOther))
    const theirs = await newApp(stranger)
    const stolen = await put(stranger, { appId: theirs.appId, action: 'IMPORT', encryptedKey })
    expect(codeOf(stolen)).toEqual(rowOf(errors.importForOther))
    const forged = await encryptedFor(stranger, theirs.appId, storeContent(key), { nonce: '99999999999999.AAAA' })
    const late = await put(stranger, { appId: theirs.appId, action: 'IMPORT', encryptedKey: forged })
    expect(codeOf(late)).toEqual(rowOf(errors.importExpired))
  })

  it('in the clear, changed on the way or encrypted to another key is refused without a word of it', async () => {
    const { appId } = await newApp(leader)
    const key = await ownKey()
    const open = await put(leader, { appId, action: 'IMPORT', encryptedKey: key.privateKey })
    expect(codeOf(open)).toEqual(rowOf(errors.privateKeySent))
    const encryptedKey = await encryptedFor(leader, appId, storeContent(key))
    const parts = encryptedKey.split('.')
    const swapped = (at: number, part: string) => parts.map((one, index) => (index === at ? part : one)).join('.')
    const head = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid: '1' })).toString('base64url')
    for (const sent of [
      'no jwe',
      swapped(3, `${parts[3]?.slice(0, -4)}AAAA`),
      swapped(0, head),
      key.store.toString('base64'),
    ]) {
      const reply = await put(leader, { appId, action: 'IMPORT', encryptedKey: sent })
      expect(codeOf(reply)).toEqual(rowOf(errors.importUnreadable))
      expect(reply.text).not.toContain(key.privateKey.slice(40, 80))
    }
  })

  it('of an app that devices have must be the one they have it from, and a new one cannot take its place', async () => {
    const { appId } = await newApp(leader)
    const [key, other] = [await ownKey(), await ownKey()]
    const shelf = { versionId: '1', pkgId: null, versionCode: '1', versionName: '1', signers: [key.certSha256], at: 1 }
    const ctx = systemContext(stage.booted.server, 'CN', { name: 'test', teamId: leader.teamId })
    await ctx.transact(inner => recordShelf(inner, appId, shelf))
    expect(codeOf(await put(leader, { appId, action: 'GENERATE' }))).toEqual(rowOf(errors.shelfOfDeveloper))
    const wrong = await encryptedFor(leader, appId, storeContent(other))
    const reply = await put(leader, { appId, action: 'IMPORT', encryptedKey: wrong })
    expect(codeOf(reply)).toEqual(rowOf(errors.signerChanged))
    expect(reply.body).toMatchObject({ found: other.certSha256, expected: key.certSha256 })
    const right = await encryptedFor(leader, appId, storeContent(key))
    const taken = await leader.ok(signing, 'putSigningKey', { body: { appId, action: 'IMPORT', encryptedKey: right } })
    expect(taken.appKey?.certificate.certSha256).toBe(key.certSha256)
  })

  it('and one that is made wait while a version with another signature is under way', async () => {
    const { appId } = await newApp(leader)
    const key = await ownKey()
    await stage.sql('CN', `UPDATE apps SET open_version_state = 'IN_REVIEW' WHERE app_id = $1`, [appId])
    expect(codeOf(await put(leader, { appId, action: 'GENERATE' }))).toEqual(rowOf(errors.releaseUnderWay))
    const encryptedKey = await encryptedFor(leader, appId, storeContent(key))
    const other = await put(leader, { appId, action: 'IMPORT', encryptedKey })
    expect(codeOf(other)).toEqual(rowOf(errors.releaseUnderWay))
    await stage.sql(
      'CN',
      `INSERT INTO app_signing_keys (app_id, team_id, state, developer_cert_sha256, created_at)
        VALUES ($1, $2, 'DEVELOPER', $3, 1)`,
      [appId, leader.teamId, key.certSha256],
    )
    const same = await leader.ok(signing, 'putSigningKey', { body: { appId, action: 'IMPORT', encryptedKey } })
    expect(same.mode).toBe('STORE')
  })

  it('asks for a fresh proof of who sends it', async () => {
    const late = await stage.person()
    const { appId } = await newApp(late)
    const encryptedKey = await encryptedFor(late, appId, storeContent(await ownKey()))
    stage.clock.turn(6 * 60_000)
    expect(codeOf(await put(late, { appId, action: 'IMPORT', encryptedKey }))).toEqual([403, 201010004])
    stage.clock.turn(-6 * 60_000)
  })
})

keySuite('an upload certificate', () => {
  it('is in force at once when it is the first, and tells its three digests', async () => {
    const { appId } = await newApp(leader)
    const key = await ownKey({ days: 365 })
    const reply = await leader.ok(signing, 'putUploadCertificate', { body: { appId, certPem: key.certificate } })
    expect([reply.state, reply.certificate.certSha256]).toEqual(['ACTIVE', key.certSha256])
    expect([reply.certificate.certMd5.length, reply.certificate.certSha1.length]).toEqual([32, 40])
    expect((await keyOf(appId)).uploadCertSha256).toBe(key.certSha256)
    expect(codeOf(await register(leader, appId, key.certificate))).toEqual(rowOf(errors.sameCertificate))
  })

  it('is refused when it is a private key, no certificate, weak, or of another team’s app', async () => {
    const { appId } = await newApp(leader)
    const key = await ownKey()
    expect(codeOf(await register(leader, appId, key.privateKey))).toEqual(rowOf(errors.privateKeySent))
    const none = await register(leader, appId, 'no certificate')
    expect([none.status, none.body.fields?.[0]?.pointer]).toEqual([400, '/certPem'])
    const weak = await ownKey({ kind: 'rsa:1024' })
    expect(codeOf(await register(leader, appId, weak.certificate))).toEqual(rowOf(errors.keyWeak))
    expect(codeOf(await register(stranger, appId, key.certificate))).toEqual(rowOf(commonErrors.notFound))
    expect((await uploads(appId)).current).toBe(null)
  })

  /** What the sweep finds so much later; sessions do not live as long. */
  const sweepAfter = async (hours: number) => {
    stage.clock.turn(hours * hour)
    await stage.booted.worker.sweep()
    stage.clock.turn(-hours * hour)
  }

  /** An app whose upload certificate is to be changed. */
  const waiting = async () => {
    const { appId } = await newApp(leader, 'Waiting')
    const [first, second] = [await ownKey(), await ownKey()]
    await leader.ok(signing, 'putUploadCertificate', { body: { appId, certPem: first.certificate } })
    const reply = await administrator.ok(signing, 'putUploadCertificate', {
      body: { appId, certPem: second.certificate },
    })
    expect([reply.state, reply.effectiveAt - reply.createdAt]).toEqual(['PENDING', 48 * hour])
    return { appId, first, second }
  }

  it('that takes the place of another counts after 48 hours, once, whatever the process slept through', async () => {
    const { appId, first, second } = await waiting()
    const third = await ownKey()
    const more = await register(leader, appId, third.certificate)
    expect(codeOf(more)).toEqual(rowOf(errors.uploadCertPending))
    await sweepAfter(47)
    expect((await keyOf(appId)).uploadCertSha256).toBe(first.certSha256)
    await sweepAfter(247)
    await sweepAfter(248)
    const { current, pending, previous } = await uploads(appId)
    expect([current?.certificate.certSha256, pending]).toEqual([second.certSha256, null])
    expect(previous.map(one => [one.state, one.certificate.certSha256])).toEqual([['REPLACED', first.certSha256]])
    expect(await eventsOf(appId)).toEqual([
      'signing.upload_cert.changed ACTIVE',
      'signing.upload_cert.changed PENDING',
      'signing.upload_cert.changed REPLACED',
      'signing.upload_cert.changed ACTIVE',
    ])
  })

  it('is announced to leader and administrators, who can cancel it', async () => {
    const { appId, first } = await waiting()
    await stage.settle()
    const told = await stage.sql<{ kind: string }>(
      'CN',
      `SELECT kind FROM notices WHERE entity_id = $1 AND account_id = $2`,
      [appId, leader.accountId],
    )
    expect(told.map(one => one.kind)).toEqual(['signing.upload_cert.changed', 'signing.upload_cert.changed'])
    expect(codeOf(await settle(developer, appId, 'CANCEL'))).toEqual(rowOf(commonErrors.notAllowed))
    const canceled = await administrator.ok(signing, 'putUploadCertificate', { body: { appId, action: 'CANCEL' } })
    expect(canceled.state).toBe('CANCELED')
    await sweepAfter(49)
    expect((await keyOf(appId)).uploadCertSha256).toBe(first.certSha256)
    expect(codeOf(await settle(administrator, appId, 'CANCEL'))).toEqual(rowOf(errors.nothingPending))
  })

  it('is approved before time by a leader with a second step, and by nobody else', async () => {
    const { appId, second } = await waiting()
    expect(codeOf(await settle(administrator, appId, 'APPROVE'))).toEqual(rowOf(commonErrors.notAllowed))
    const now = stage.clock.now()
    await stage.sql('home', 'UPDATE sessions SET authenticated_at = $1 WHERE account_id = $2', [now, leader.accountId])
    expect(codeOf(await settle(leader, appId, 'APPROVE'))).toEqual(rowOf(errors.factorNeeded))
    await stage.sql('home', 'UPDATE sessions SET has_second_factor = true WHERE account_id = $1', [leader.accountId])
    const approved = await leader.ok(signing, 'putUploadCertificate', { body: { appId, action: 'APPROVE' } })
    expect([approved.state, approved.certificate.certSha256]).toEqual(['ACTIVE', second.certSha256])
    expect((await keyOf(appId)).uploadCertSha256).toBe(second.certSha256)
  })
})

androidSuite('a key that is rotated', () => {
  it('leaves the proof of it, and can be rotated again after 365 days', async () => {
    const owner = await stage.person()
    const { appId } = await newApp(owner)
    const first = await owner.ok(signing, 'putSigningKey', {
      body: { appId, action: 'GENERATE', algorithm: 'EC_P256' },
    })
    const second = await owner.ok(signing, 'putSigningKey', { body: { appId, action: 'ROTATE', algorithm: 'EC_P256' } })
    expect(second.lineage.map(one => one.certSha256)).toEqual([
      first.appKey?.certificate.certSha256,
      second.appKey?.certificate.certSha256,
    ])
    expect(second.nextRotationAllowedAt).toBe((second.appKey?.createdAt ?? 0) + 365 * 24 * hour)
    expect(second.allowedActions).toEqual(['discard'])
    const soon = await put(owner, { appId, action: 'ROTATE' })
    expect(codeOf(soon)).toEqual(rowOf(errors.rotationTooSoon))
    await stage.sql('CN', 'UPDATE app_signing_keys SET rotated_at = rotated_at - $2 WHERE app_id = $1', [
      appId,
      365 * 24 * hour,
    ])
    const replies = await Promise.all([1, 2].map(() => put(owner, { appId, action: 'ROTATE', algorithm: 'EC_P256' })))
    expect(replies.map(one => one.status).sort()).toEqual([200, 409])
    const { lineage } = await keyOf(appId, owner)
    expect(lineage.map(one => one.certSha256).slice(0, 2)).toEqual(second.lineage.map(one => one.certSha256))
    expect(lineage).toHaveLength(3)
    expect((await eventsOf(appId)).filter(one => one.startsWith('signing.key.rotated'))).toHaveLength(2)
  })
})
