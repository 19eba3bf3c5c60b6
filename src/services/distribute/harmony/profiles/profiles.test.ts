import { createPrivateKey, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { orchestration } from '../../../ground/orchestration/contract.ts'
import { packages } from '../../packages/contract.ts'
import { uploadBytes } from '../../packages/packages.testkit.ts'
import { contentBlock, insertBlocks, makeHap } from '../../packages/readers/hap.testkit.ts'
import { trustDesk } from '../../packages/trust/contract.ts'
import { certsContract } from '../certs/contract.ts'
import { devicesContract } from '../devices/contract.ts'
import { newCert, newHarmonyApp, newKey, openssl, udidOf } from '../harmony.testkit.ts'
import { signedData } from '../pki/signed-data.ts'
import { certTypes, profileTypes } from '../rules.ts'
import { profilesContract as contract } from './contract.ts'

const day = 86_400_000
let stage: Stage
let owner: Person
let viewer: Person
let root: string
let app: { appId: string; packageName: string }
let debug: string
let release: string
let devices: string[]
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  viewer = await stage.person({ team: owner.teamId, roles: ['analyst'] })
  root = (await stage.anybody.call(certsContract, 'downloadRoot')).text
  app = await newHarmonyApp(owner)
  debug = (await newCert(owner, certTypes.debug)).certId
  release = (await newCert(owner, certTypes.release)).certId
  devices = await newDevices(owner, 3)
})
afterAll(() => stage.close())

async function newDevices(who: Person, count: number) {
  const deviceList = Array.from({ length: count }, (_, at) => ({
    deviceName: `Device ${at}`,
    udid: udidOf(`Device ${at}`),
    deviceType: 4,
  }))
  await who.ok(devicesContract, 'addDevices', { body: { deviceList } })
  return (await who.ok(devicesContract, 'listDevices', { query: {} })).list.map(one => one.id).reverse()
}

let made = 0
const wish = (more: object = {}) => ({
  ...{ provisionName: `Profile ${++made}`, provisionType: 2, appId: app.appId, certId: release },
  ...more,
})
const create = (who: Person, more: object = {}) => who.call(contract, 'createProfile', { body: wish(more) })
const download = async (who: Person, id: string) =>
  (await who.call(contract, 'downloadProfile', { params: { id } })).bytes
const verify = (p7b: Buffer, trusted = root) =>
  openssl(['cms', '-verify', '-inform', 'DER', '-in', 'p.p7b', '-CAfile', 'root.pem', '-purpose', 'any'], {
    'p.p7b': p7b,
    'root.pem': trusted,
  })
const contentOf = (p7b: Buffer) => JSON.parse(/\{.*\}/s.exec(verify(p7b).text)?.[0] ?? 'null')

describe('a profile', () => {
  it('for debugging is signed data that openssl verifies up to the root, and says what devices read', async () => {
    const { body } = await create(owner, { provisionType: 1, certId: debug, deviceIdList: devices })
    const p7b = await download(owner, body.id)
    expect(verify(p7b).isGood).toBe(true)
    const content = contentOf(p7b)
    expect(content).toMatchObject({
      'version-code': 2,
      uuid: body.uuid,
      type: 'debug',
      'bundle-info': {
        'developer-id': owner.teamId,
        'bundle-name': app.packageName,
        'app-identifier': app.appId,
        apl: 'normal',
      },
      'debug-info': { 'device-id-type': 'udid' },
    })
    expect(content['debug-info']['device-ids'].sort()).toEqual([0, 1, 2].map(at => udidOf(`Device ${at}`)).sort())
    expect(content['validity']['not-after'] * 1000).toBeLessThanOrEqual(body.expireTime)
    const named = new X509Certificate(content['bundle-info']['development-certificate'])
    const { list } = await owner.ok(certsContract, 'listCerts', { body: { certId: debug } })
    expect(named.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(list[0]?.sha256)
  })

  it.each([
    ['release', profileTypes.release, 'app_gallery', false],
    ['listed devices', profileTypes.listed, 'internaltesting', true],
  ])('for %s says how the app is handed out', async (_, provisionType, distribution, isListed) => {
    const deviceIdList = isListed ? devices.slice(0, 1) : []
    const { body } = await create(owner, { provisionType, deviceIdList })
    const content = contentOf(await download(owner, body.id))
    expect([content.type, content['app-distribution-type'], content['debug-info'] !== undefined]).toEqual([
      'release',
      distribution,
      isListed,
    ])
    expect(content['bundle-info']['distribution-certificate']).toContain('BEGIN CERTIFICATE')
  })

  it('ends with its certificate, or after its own time', async () => {
    const { body } = await create(owner, { provisionType: 1, certId: debug, deviceIdList: devices })
    expect(body.expireTime - body.issueTime).toBeLessThanOrEqual(14 * day)
    const { list } = await owner.ok(certsContract, 'listCerts', { body: { certId: debug } })
    expect(body.expireTime).toBe(list[0]?.expireTime)
  })

  it('that was tampered with is refused by openssl, and so is one of another root', async () => {
    const { body } = await create(owner)
    const p7b = await download(owner, body.id)
    const changed = Buffer.from(p7b)
    const at = changed.indexOf(app.packageName)
    changed.write('com.evil', at)
    expect([verify(p7b).isGood, verify(changed).isGood]).toEqual([true, false])
    const key = newKey()
    const other = openssl(['req', '-x509', '-key', 'k.pem', '-subj', '/CN=Loggia Root CA', '-days', '9'], {
      'k.pem': key,
    }).text
    expect(verify(p7b, other).isGood).toBe(false)
  })

  it('is refused where its parts do not fit', async () => {
    const inHouse = (await newCert(owner, certTypes.inHouse)).certId
    const android = await newHarmonyApp(owner, 'ANDROID')
    const cases: [object, number, number][] = [
      [{ provisionType: 1, certId: debug }, 422, 204144776],
      [{ provisionType: 6 }, 422, 204144776],
      [{ deviceIdList: devices }, 422, 202150004],
      [{ certId: debug }, 422, 204144763],
      [{ certId: inHouse }, 422, 204144763],
      [{ provisionType: 3 }, 422, 204144763],
      [{ provisionType: 1, deviceIdList: devices }, 422, 204144763],
      [{ provisionType: 1, certId: debug, deviceIdList: [...devices, '1'] }, 422, 204144760],
      [{ certId: '1' }, 404, 204144775],
      [{ appId: android.appId }, 422, 202150005],
      [{ appId: '1' }, 404, 204160006],
      [{ provisionType: 4 }, 400, 200000001],
      [{ provisionName: '' }, 400, 200000001],
      [{ provisionName: 'a\nb' }, 400, 200000001],
    ]
    for (const [wrong, status, code] of cases) {
      const reply = await create(owner, wrong)
      expect([wrong, reply.status, reply.body.ret.code]).toEqual([wrong, status, code])
    }
    expect((await create(owner, { provisionType: 3, certId: inHouse })).status).toBe(200)
  })

  it('has a name of its own in the team, in whatever case: 204144761', async () => {
    await create(owner, { provisionName: 'Mine' })
    const reply = await create(owner, { provisionName: 'MINE' })
    expect([reply.status, reply.body.ret.code]).toEqual([409, 204144761])
  })

  it('is the hundred-and-first of its app never, also when two come at once: 204144762', async () => {
    const { appId } = await newHarmonyApp(owner)
    for (let at = 0; at < 99; at++) await create(owner, { appId })
    const race = await Promise.all([create(owner, { appId }), create(owner, { appId })])
    expect(race.map(reply => reply.body.ret.code).sort()).toEqual([0, 204144762])
  })
})

describe('issuing anew', () => {
  it('by refreshing keeps the id and gives another uuid', async () => {
    const { body } = await create(owner)
    const fresh = await owner.ok(contract, 'refreshProfile', { body: { id: body.id } })
    expect([fresh.id, fresh.uuid === body.uuid, fresh.revision]).toEqual([body.id, false, body.revision + 1])
    expect(contentOf(await download(owner, body.id)).uuid).toBe(fresh.uuid)
  })

  it('with other devices or another certificate says so in the file; of two who change it one is told it is stale', async () => {
    const { body } = await create(owner, { provisionType: 1, certId: debug, deviceIdList: devices })
    const { id, revision } = body
    const change = (deviceIdList: string[]) =>
      owner.call(contract, 'updateProfile', { body: { id, revision, deviceIdList, provisionName: 'Fewer' } })
    const [one, other] = await Promise.all([change(devices.slice(0, 1)), change(devices.slice(1, 2))])
    expect([one.status, other.status].sort()).toEqual([200, 409])
    const now = await owner.ok(contract, 'getProfile', { params: { id } })
    expect([now.provisionName, now.deviceCount]).toEqual(['Fewer', 1])
    expect(contentOf(await download(owner, id))['debug-info']['device-ids'].length).toBe(1)
  })

  it('needs a certificate that counts: a revoked one makes the profile invalid, another one valid again', async () => {
    const team = await stage.person()
    const own = await newHarmonyApp(team)
    const first = await newCert(team, certTypes.release)
    const { body } = await create(team, { appId: own.appId, certId: first.certId })
    await team.ok(certsContract, 'revokeCert', { query: { certId: first.certId } })
    await stage.settle()
    const { id } = body
    const invalid = await team.ok(contract, 'getProfile', { params: { id } })
    expect([invalid.state, invalid.certState]).toEqual(['INVALID', 'REVOKED'])
    const refused = await team.call(contract, 'refreshProfile', { body: { id } })
    expect([refused.status, refused.body.ret.code]).toEqual([404, 204144775])
    const { certId } = await newCert(team, certTypes.release)
    const valid = await team.ok(contract, 'updateProfile', { body: { id, certId, revision: invalid.revision } })
    expect([valid.state, valid.invalidReason, valid.certId]).toEqual(['VALID', null, certId])
  })

  it('hears of a revocation twice and is told once', async () => {
    const { body } = await create(owner)
    const events = () =>
      stage.sql('CN', `SELECT 1 FROM outbox WHERE type = 'profile.invalidated' AND entity_id = $1`, [body.id])
    const emit = () =>
      stage.sql(
        'CN',
        `UPDATE harmony_profiles SET state = 'INVALID', invalid_reason = 'CERT_REVOKED' WHERE profile_id = $1`,
        [body.id],
      )
    await emit()
    const team = await stage.person()
    const { certId } = await newCert(team)
    await team.ok(certsContract, 'revokeCert', { query: { certId } })
    await stage.settle()
    expect(await events()).toEqual([])
  })
})

describe('a package that is signed with them', () => {
  it('is trusted by the store where the operator trusts the root', async () => {
    const team = await stage.person()
    const own = await newHarmonyApp(team)
    const key = newKey()
    const { certId } = await newCert(team, certTypes.release, key)
    const { body } = await create(team, { appId: own.appId, certId })
    const p7b = await download(team, body.id)
    const chain = (await team.call(certsContract, 'downloadCert', { query: { certId } })).text
    const [leaf, ...above] = (chain.match(/-----BEGIN[^-]+-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
      pem => new X509Certificate(pem),
    )
    const zip = makeHap({ bundleName: own.packageName })
    const signer = { certificate: leaf!, privateKey: createPrivateKey(key) }
    const signature = signedData(contentBlock(zip, [p7b]), signer, above, stage.clock.now())
    const hap = insertBlocks(zip, [
      [0x20000002, p7b],
      [0x20000000, signature],
    ])
    const objectId = await uploadBytes(stage, team, hap, 'own.hap')
    const { pkgId } = await team.ok(packages, 'createPackage', { body: { appId: own.appId, objectId } })
    await stage.settle()
    const operator = await stage.person({ staff: ['storeOperator'] })
    await operator.ok(trustDesk, 'addTrustedRoots', { body: { purpose: 'HARMONY', pem: root } })
    const read = await team.ok(packages, 'getPackage', { query: { pkgId } })
    expect(read).toMatchObject({ trust: { verdict: 'TRUSTED' } })
    expect(read.findings.map(one => one.code).filter(code => [993, 999, 1000, 1001].includes(code))).toEqual([])
  })
})

describe('others', () => {
  it('who only looks may download, but neither issue, change, refresh nor delete', async () => {
    const { body } = await create(owner)
    const { id, revision } = body
    expect((await download(viewer, id)).length).toBeGreaterThan(1000)
    const replies = await Promise.all([
      create(viewer),
      viewer.call(contract, 'updateProfile', { body: { id, revision } }),
      viewer.call(contract, 'refreshProfile', { body: { id } }),
      viewer.call(contract, 'deleteProfile', { query: { id } }),
    ])
    expect(replies.map(reply => reply.status)).toEqual([403, 403, 403, 403])
  })

  it("another team's profile is 404, and neither its certificate nor its devices go into one's own", async () => {
    const { body } = await create(owner)
    const { id, revision } = body
    const stranger = await stage.person()
    const own = await newHarmonyApp(stranger)
    const cert = await newCert(stranger)
    const replies = await Promise.all([
      stranger.call(contract, 'getProfile', { params: { id } }),
      stranger.call(contract, 'downloadProfile', { params: { id } }),
      stranger.call(contract, 'updateProfile', { body: { id, revision } }),
      stranger.call(contract, 'refreshProfile', { body: { id } }),
      stranger.call(contract, 'deleteProfile', { query: { id } }),
    ])
    expect(replies.map(reply => reply.status)).toEqual([404, 404, 404, 404, 404])
    const withCert = await create(stranger, { appId: own.appId })
    expect(withCert.body.ret.code).toBe(204144775)
    const debugWish = { provisionType: 1, appId: own.appId, certId: cert.certId, deviceIdList: devices }
    expect((await create(stranger, debugWish)).body.ret.code).toBe(204144760)
  })

  it('the list is of the team or of one app, filtered and searched', async () => {
    const team = await stage.person()
    const [one, other] = [await newHarmonyApp(team), await newHarmonyApp(team)]
    const { certId } = await newCert(team, certTypes.release)
    await create(team, { appId: one.appId, certId, provisionName: 'First_1' })
    await create(team, { appId: other.appId, certId, provisionName: 'Second' })
    const names = async (query: object) =>
      (await team.ok(contract, 'listProfiles', { query })).list.map(it => it.provisionName)
    expect(await names({})).toEqual(['Second', 'First_1'])
    expect(await names({ appId: one.appId })).toEqual(['First_1'])
    expect(await names({ search: 't_' })).toEqual(['First_1'])
    expect(await names({ provisionType: 1 })).toEqual([])
    const { list } = await team.ok(contract, 'listPermissions')
    expect(list.map(it => it.permission)).toContain('ohos.permission.READ_PASTEBOARD')
  })

  it('the process GetSignInfoAppID names the certificates and profiles of one app alone', async () => {
    const team = await stage.person()
    const { appId, packageName } = await newHarmonyApp(team)
    const cert = await newCert(team, certTypes.release)
    await newCert(team, certTypes.release)
    const made = await create(team, { appId, certId: cert.certId, provisionName: 'For the store' })
    const { status, body } = await team.call(orchestration, 'invokeByPath', {
      params: { definition: 'harmony-app', process: 'GetSignInfoAppID' },
      body: { appId },
    })
    expect([status, body.partial]).toEqual([200, []])
    expect(body.data).toMatchObject({
      appId,
      packageName,
      certs: [{ certId: cert.certId, certName: cert.certName }],
      provisions: [{ id: made.body.id, provisionName: 'For the store' }],
    })
    expect(body.data).toMatchObject({ certs: { length: 1 }, provisions: { length: 1 } })
  })

  it('a deleted profile is gone, with its file', async () => {
    const { body } = await create(owner)
    await owner.ok(contract, 'deleteProfile', { query: { id: body.id } })
    expect((await owner.call(contract, 'downloadProfile', { params: { id: body.id } })).status).toBe(404)
  })
})
