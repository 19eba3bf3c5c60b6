import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../server/context.ts'
import type { Person, Stage } from '../../../testkit/stage.ts'
import { joinTeam } from '../../ground/teams/public.ts'
import { versions } from '../versions/contract.ts'
import { fillDraft, newApp, openScene, png, putPackage, type Scene, upload } from '../versions/versions.testkit.ts'
import { recordal } from './contract.ts'
import { recordalDesk } from './desk/contract.ts'

let scene: Scene
let stage: Stage
let owner: Person
let reviewer: Person
beforeAll(async () => {
  scene = await openScene()
  stage = scene.stage
  owner = scene.owner
  reviewer = await stage.person({ staff: ['reviewer'] })
})
afterAll(() => stage.close())

const md5 = 'd41d8cd98f00b204e9800998ecf8427e'
const modulus = 'c0ffee'.repeat(20)

/** What readers of packages leave: the certificate, and whether the app asks for a network. */
const sign = (pkgId: string, packageName: string, isNetworked = true) =>
  stage.sql('CN', 'UPDATE packages SET certificates = $2, permissions = $3, package_name = $4 WHERE pkg_id = $1', [
    pkgId,
    JSON.stringify([{ scheme: 'v2', certSha256: 'aa'.repeat(32), certMd5: md5, modulusHex: modulus }]),
    JSON.stringify(isNetworked ? [{ name: 'android.permission.INTERNET' }] : []),
    packageName,
  ])

let made = 0
async function appWithPackage(isNetworked = true) {
  const { appId } = await newApp(owner)
  const packageName = `com.example.filed${++made}`
  await sign(await putPackage(stage, owner, { appId, versionCode: 1 }), packageName, isNetworked)
  return { appId, packageName }
}

const filing = (packageName: string) => ({
  registeredDclType: 0,
  recordalNumber: '京ICP备12345678号-1A',
  registeredIdType: 1,
  registeredIdNumber: '91350100M000100Y43',
  registeredEntity: 1,
  registeredEntityName: 'Example Ltd',
  features: { packageName, certMd5: md5.toUpperCase().replace(/(..)(?=.)/g, '$1:'), publicKeyModulus: `00${modulus}` },
})
const hand = (body: Record<string, unknown>, who = owner) => who.call(recordal, 'checkRecordal', { body } as never)
const decide = (
  appId: string,
  verdict: 'match' | 'mismatch' | 'notFound' | 'expire',
  revision: number,
  note?: string,
) => reviewer.call(recordalDesk, 'decideRecordal', { body: { appId, verdict, revision, ...(note && { note }) } })
const rules = async (versionId: string) => {
  const { readiness } = await owner.ok(versions, 'submitVersion', { query: { dryRun: '1' }, body: { versionId } })
  return readiness.map(one => one.rule).filter(rule => rule.startsWith('recordal.'))
}

describe('a filing', () => {
  it('shows what to file before anything is filed', async () => {
    const { appId, packageName } = await appWithPackage()
    const shown = await owner.ok(recordal, 'queryCheckRecordal', { body: { appId } })
    expect(shown).toMatchObject({
      state: 'NONE',
      registeredDclType: -1,
      actual: { packageName, certMd5: md5, publicKeyModulus: modulus, isNetworked: true },
    })
  })

  it('that fits the package waits for a reviewer, whose word counts', async () => {
    const { appId, packageName } = await appWithPackage()
    const evidence = [await upload(stage, owner, png(40, 40), 'filing.png', 'app_qual')]
    const filed = await hand({ appId, ...filing(packageName), evidence })
    expect(filed.body).toMatchObject({ state: 'CHECKING', registeredIdNumber: '91**************43', differences: [] })
    const { list } = await reviewer.ok(recordalDesk, 'listRecordals', {})
    const waiting = list.find(one => one.appId === appId)
    expect(waiting?.evidence[0]?.url).toMatch(/^http/)
    const revision = filed.body.revision as number
    expect((await decide(appId, 'notFound', revision)).status).toBe(400)
    expect((await decide(appId, 'match', revision)).body).toMatchObject({ state: 'MATCH', source: 'MANUAL' })
    const [row] = await stage.sql('CN', 'SELECT id_number_sealed FROM app_recordals WHERE app_id = $1', [appId])
    expect(String(row?.['id_number_sealed'])).not.toContain('91350100')
  })

  it('that does not fit says at once where', async () => {
    const { appId, packageName } = await appWithPackage()
    const reply = await hand({
      appId,
      ...filing(packageName),
      features: { packageName, certMd5: '00'.repeat(16), publicKeyModulus: modulus },
    })
    expect(reply.body).toMatchObject({ state: 'MISMATCH', source: 'PACKAGE', differences: [{ field: 'certMd5' }] })
  })

  it('is refused with what to change', async () => {
    const { appId, packageName } = await appWithPackage()
    const whole = { appId, ...filing(packageName) }
    const tries: [number, Record<string, unknown>][] = [
      [202100001, { ...whole, recordalNumber: '京ICP备12345678号' }],
      [202100002, { ...whole, registeredIdNumber: '91350100M000100Y44' }],
      [202100002, { ...whole, registeredIdType: 2 }],
      [202100003, { ...whole, registeredEntityName: '' }],
      [202100003, { ...whole, features: undefined }],
      [202100004, { appId, registeredDclType: 2 }],
    ]
    for (const [code, body] of tries) {
      const reply = await hand(body)
      expect([reply.status, reply.body.ret.code]).toEqual([422, code])
    }
    const { appId: bare } = await newApp(owner)
    expect((await hand({ ...whole, appId: bare })).body.ret.code).toBe(202100005)
  })

  it('keeps the identity number when it is not said again, and is stale for who read another one', async () => {
    const { appId, packageName } = await appWithPackage()
    const first = await hand({ appId, ...filing(packageName) })
    const { registeredIdNumber: _, ...rest } = filing(packageName)
    const revision = first.body.revision as number
    const again = await hand({ appId, ...rest, registeredEntityName: 'Example Two Ltd', revision })
    expect(again.body).toMatchObject({
      registeredIdNumber: '91**************43',
      registeredEntityName: 'Example Two Ltd',
    })
    expect((await hand({ appId, ...rest, revision })).status).toBe(409)
  })
})

describe('to go on shelf in mainland China', () => {
  it('an app with a network needs a filing that fits its package; an app without needs none', async () => {
    const { appId } = await newApp(owner)
    const { versionId, pkgId } = await fillDraft(stage, owner, appId, 1)
    expect(await rules(versionId)).toEqual([])
    const packageName = 'com.example.going'
    await sign(pkgId!, packageName)
    expect(await rules(versionId)).toEqual(['recordal.missing'])
    const filed = await hand({ appId, ...filing(packageName) })
    expect(await rules(versionId)).toEqual(['recordal.checking'])
    const decided = await decide(appId, 'match', filed.body.revision as number)
    expect(await rules(versionId)).toEqual([])
    await stage.sql(
      'CN',
      `UPDATE packages SET certificates = jsonb_set(certificates, '{0,certMd5}', '"00"') WHERE pkg_id = $1`,
      [pkgId],
    )
    expect(await rules(versionId)).toEqual(['recordal.mismatch'])
    const { revision } = (await owner.ok(versions, 'getVersion', { query: { appId } })).version!
    await owner.ok(versions, 'updateVersion', { body: { versionId, countries: ['DE'], revision } })
    expect(await rules(versionId)).toEqual([])
    const ended = await decide(appId, 'expire', decided.body.revision as number, 'The register has it no more.')
    expect(ended.body.state).toBe('EXPIRED')
  })

  it('an app that says it has no network is believed when its package asks for none', async () => {
    const { appId } = await appWithPackage(false)
    expect((await hand({ appId, registeredDclType: 2 })).body).toMatchObject({ state: 'MATCH', source: 'PACKAGE' })
  })
})

describe('attacks', () => {
  it('another team neither reads nor files, nor names foreign files', async () => {
    const { appId, packageName } = await appWithPackage()
    const stranger = await stage.person()
    expect((await hand({ appId, ...filing(packageName) }, stranger)).status).toBe(404)
    expect((await stranger.call(recordal, 'queryCheckRecordal', { body: { appId } })).status).toBe(404)
    const theirs = await upload(stage, stranger, png(20, 20), 'theirs.png', 'app_qual')
    expect((await hand({ appId, ...filing(packageName), evidence: [theirs] })).status).toBe(404)
    expect((await owner.call(recordalDesk, 'listRecordals', {})).status).toBe(403)
  })

  it('nobody decides for the own team, and of two who decide at once one does', async () => {
    const { appId, packageName } = await appWithPackage()
    const filed = await hand({ appId, ...filing(packageName) })
    const revision = filed.body.revision as number
    const insider = await stage.person({ staff: ['reviewer'] })
    await systemContext(stage.booted.server, 'CN', { name: 'test' }).transact(ctx =>
      joinTeam(ctx, owner.teamId, insider.accountId, ['developer']),
    )
    const own = await insider.call(recordalDesk, 'decideRecordal', { body: { appId, verdict: 'match', revision } })
    expect(own.body.ret.code).toBe(202100007)
    const replies = await Promise.all([
      decide(appId, 'match', revision),
      decide(appId, 'notFound', revision, 'The register does not know it.'),
    ])
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(1)
  })
})
