import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { notices } from '../../../ground/notices/contract.ts'
import { newCert, newHarmonyApp, newKey, newRequest, openssl } from '../harmony.testkit.ts'
import { authoritiesOf, chainAbove } from '../pki/authorities.ts'
import { profilesContract } from '../profiles/contract.ts'
import { certTypes } from '../rules.ts'
import { certsContract as contract } from './contract.ts'

const day = 86_400_000
let stage: Stage
let owner: Person
let viewer: Person
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  viewer = await stage.person({ team: owner.teamId, roles: ['analyst'] })
})
afterAll(() => stage.close())

const rootPem = async () => (await stage.anybody.call(contract, 'downloadRoot')).text
const chainOf = async (who: Person, certId: string) =>
  (await who.call(contract, 'downloadCert', { query: { certId } })).text
const blocksOf = (pem: string) => pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/g) ?? []
const one = async (who: Person, certId: string) => (await who.ok(contract, 'listCerts', { body: { certId } })).list[0]!
const verifyLeader = (who: Person) =>
  stage.sql('home', 'UPDATE accounts SET verify_real_state = 2 WHERE account_id = $1', [who.accountId])

describe('a certificate', () => {
  it.each(['P-256', 'RSA 3072'] as const)(
    'for a request of openssl with a key %s leads to the root, as openssl says',
    async kind => {
      const team = await stage.person()
      const key = newKey(kind)
      const csr = newRequest(key, '/CN=The store itself/O=Somebody else')
      const { certId, subject, sha256, serial } = await team.ok(contract, 'createCert', {
        body: { certName: 'Release', certType: certTypes.release, csr },
      })
      const chain = blocksOf(await chainOf(team, certId))
      expect(chain.length).toBe(3)
      const [leaf = '', above = ''] = chain
      const files = { 'leaf.pem': leaf, 'above.pem': above, 'root.pem': await rootPem(), 'own.key': key }
      expect(
        openssl(['verify', '-x509_strict', '-CAfile', 'root.pem', '-untrusted', 'above.pem', 'leaf.pem'], files),
      ).toEqual({
        isGood: true,
        text: 'leaf.pem: OK\n',
      })
      const { text } = openssl(['x509', '-in', 'leaf.pem', '-noout', '-text'], files)
      for (const said of ['CA:FALSE', 'Digital Signature', 'Code Signing', `crl?authorityId=`, 'ecdsa-with-SHA384'])
        expect(text).toContain(said)
      expect(text).not.toContain('Somebody else')
      expect(subject).toContain(`(${team.teamId}),Release`)
      const spki = (args: string[]) => openssl(args, files).text
      expect(spki(['x509', '-in', 'leaf.pem', '-noout', '-pubkey'])).toBe(spki(['pkey', '-in', 'own.key', '-pubout']))
      const printed = openssl(['x509', '-in', 'leaf.pem', '-noout', '-fingerprint', '-sha256', '-serial'], files).text
      expect(printed.replaceAll(':', '').toLowerCase()).toContain(sha256)
      expect(printed.toLowerCase()).toContain(`serial=${serial}`)
    },
  )

  it('holds two weeks for debugging until the leader has shown who they are, then a year; for release three years', async () => {
    const team = await stage.person()
    const member = await stage.person({ team: team.teamId, roles: ['developer'] })
    const lifetime = async (certType: number) => {
      const { createTime, expireTime } = await newCert(member, certType)
      return (expireTime - createTime) / day
    }
    expect(await lifetime(certTypes.debug)).toBe(14)
    await verifyLeader(team)
    expect([await lifetime(certTypes.debug), await lifetime(certTypes.release)]).toEqual([365, 1095])
  })

  it.each([
    ['another key in it', 'its key is on secp521r1', () => newRequest(newKey('P-521'))],
    ['a weak key', '1024 bits', () => newRequest(newKey('RSA 1024'))],
    ['text around it', 'nothing before', () => `hello\n${newRequest()}`],
    ['a private key in its place', 'treat the key as known', () => newKey()],
  ])('is not issued for a request with %s: 204144766', async (_, reason, csr) => {
    const reply = await owner.call(contract, 'createCert', { body: { certName: 'x', certType: 1, csr: csr() } })
    expect([reply.status, reply.body.ret.code]).toEqual([422, 204144766])
    expect(reply.body.ret.msg).toContain(reason)
  })

  it.each([
    ['a request that is too long', { csr: newRequest(newKey('RSA 8192')) }, '/csr'],
    ['a name that is too long', { certName: 'x'.repeat(101) }, '/certName'],
    ['a blank name', { certName: '  ' }, '/certName'],
    ['a name with a control character', { certName: 'a\u0007b' }, '/certName'],
    ['an unknown type', { certType: 9 }, '/certType'],
  ])('is not issued with %s', async (_, wrong, pointer) => {
    const body = { certName: 'Fine', certType: 1, csr: newRequest(), ...wrong }
    const reply = await owner.call(contract, 'createCert', { body })
    expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, pointer])
  })

  it('has a name of its own among the valid ones of the team, in whatever case: 204144767', async () => {
    const team = await stage.person()
    const make = (certName: string) =>
      team.call(contract, 'createCert', { body: { certName, certType: 1, csr: newRequest() } })
    const first = await make('Desk <b>')
    expect(first.body.certName).toBe('Desk <b>')
    expect((await make('DESK <B>')).body.ret.code).toBe(204144767)
    await team.ok(contract, 'revokeCert', { query: { certId: first.body.certId } })
    expect((await make('Desk <b>')).status).toBe(200)
  })

  it('is the fourth of its type only when another was revoked: 204144765, also when several come at once', async () => {
    const team = await stage.person()
    await newCert(team)
    await newCert(team)
    const csr = newRequest()
    const race = await Promise.all(
      ['a', 'b', 'c'].map(certName => team.call(contract, 'createCert', { body: { certName, certType: 1, csr } })),
    )
    expect(race.map(reply => reply.body.ret.code).sort()).toEqual([0, 204144765, 204144765])
    expect((await newCert(team, certTypes.release)).state).toBe('VALID')
    const { list, left } = await team.ok(contract, 'listCerts', { body: { certType: 1 } })
    expect([list.length, left]).toEqual([
      3,
      [
        { certType: 1, count: 0 },
        { certType: 2, count: 2 },
        { certType: 3, count: 3 },
        { certType: 4, count: 3 },
      ],
    ])
    await team.ok(contract, 'revokeCert', { query: { certId: list[0]!.certId } })
    expect((await newCert(team)).state).toBe('VALID')
  })
})

describe('revoking', () => {
  it('puts the certificate into the list that openssl checks against, and takes nothing else in', async () => {
    const team = await stage.person()
    const [revoked, other] = [await newCert(team), await newCert(team)]
    await team.ok(contract, 'revokeCert', { query: { certId: revoked.certId } })
    await stage.settle()
    const crl = await stage.anybody.call(contract, 'downloadRevocations')
    expect(crl.headers['content-type']).toBe('application/pkix-crl')
    const [leaf = '', above = ''] = blocksOf(await chainOf(team, revoked.certId))
    const [good = ''] = blocksOf(await chainOf(team, other.certId))
    const root = await rootPem()
    const pem = openssl(['crl', '-inform', 'DER', '-in', 'crl.der'], { 'crl.der': crl.bytes }).text
    const files = {
      'crl.der': crl.bytes,
      'crl.pem': pem,
      'root.pem': root,
      'above.pem': above,
      'all.pem': above + root,
    }
    expect(openssl(['crl', '-inform', 'DER', '-in', 'crl.der', '-CAfile', 'all.pem', '-noout'], files).isGood).toBe(
      true,
    )
    const check = (pemOfLeaf: string) =>
      openssl(
        ['verify', '-crl_check', '-CRLfile', 'crl.pem', '-CAfile', 'root.pem', '-untrusted', 'above.pem', 'leaf.pem'],
        { ...files, 'leaf.pem': pemOfLeaf },
      )
    expect(check(leaf).text).toContain('certificate revoked')
    expect(check(good).isGood).toBe(true)
    expect((await one(team, revoked.certId)).state).toBe('REVOKED')
  })

  it('is done once: the second time 204160001', async () => {
    const team = await stage.person()
    const { certId } = await newCert(team)
    await team.ok(contract, 'revokeCert', { query: { certId } })
    const again = await team.call(contract, 'revokeCert', { query: { certId } })
    expect([again.status, again.body.ret.code]).toEqual([422, 204160001])
  })

  it('waits for a leader with force where a version on shelf is signed with it, and its profiles are invalid then', async () => {
    const team = await stage.person()
    const developer = await stage.person({ team: team.teamId, roles: ['developer'] })
    const { certId, sha256 } = await newCert(team, certTypes.release)
    const { appId } = await newHarmonyApp(team)
    const body = { provisionName: 'Shelf', provisionType: 2, appId, certId }
    const { id } = await team.ok(profilesContract, 'createProfile', { body })
    const shelf = { versionId: '1', pkgId: null, versionCode: '1', versionName: '1', signers: [sha256], at: 0 }
    await stage.sql('CN', 'UPDATE apps SET shelf = $2, last_shelf = $2 WHERE app_id = $1', [
      appId,
      JSON.stringify(shelf),
    ])
    expect(await one(team, certId)).toMatchObject({
      usedByProfiles: [{ id, provisionName: 'Shelf', appId, isOnShelf: true }],
      allowedActions: ['forceRevoke'],
    })
    const plain = await team.call(contract, 'revokeCert', { query: { certId } })
    expect([plain.status, plain.body.ret.code]).toEqual([422, 202150001])
    const forced = await developer.call(contract, 'revokeCert', { query: { certId, force: true } })
    expect([forced.status, forced.body.ret.code]).toEqual([403, 204160004])
    await team.ok(contract, 'revokeCert', { query: { certId, force: true } })
    await stage.settle()
    const profile = await team.ok(profilesContract, 'getProfile', { params: { id } })
    expect([profile.state, profile.invalidReason]).toEqual(['INVALID', 'CERT_REVOKED'])
    const { list } = await team.ok(notices, 'listNotices', { query: {} })
    expect(list.map(notice => notice.kind)).toEqual(expect.arrayContaining(['cert.revoked', 'profile.invalidated']))
  })
})

describe('others', () => {
  it('who only looks may neither issue nor revoke', async () => {
    const { certId } = await newCert(owner)
    expect((await viewer.ok(contract, 'listCerts', { body: {} })).list[0]).toMatchObject({ certId, allowedActions: [] })
    const issue = await viewer.call(contract, 'createCert', { body: { certName: 'x', certType: 1, csr: newRequest() } })
    const revoke = await viewer.call(contract, 'revokeCert', { query: { certId } })
    expect([issue.status, revoke.status]).toEqual([403, 403])
  })

  it("another team's certificate is 404", async () => {
    const stranger = await stage.person()
    const { list } = await owner.ok(contract, 'listCerts', { body: {} })
    const certId = list[0]!.certId
    const revoke = await stranger.call(contract, 'revokeCert', { query: { certId } })
    const download = await stranger.call(contract, 'downloadCert', { query: { certId } })
    expect([revoke.status, download.status]).toEqual([404, 404])
    expect((await stranger.ok(contract, 'listCerts', { body: { certId } })).list).toEqual([])
  })
})

describe('the authorities', () => {
  it('are made once, although two processes need them at once, and lie sealed', async () => {
    const fresh = await openStage()
    try {
      const other = await fresh.another()
      const of = (server: typeof other.server) => authoritiesOf(systemContext(server, 'CN', { name: 'test' }))
      const [here, there] = await Promise.all([of(fresh.booted.server), of(other.server)])
      expect(here.map(one => one.authorityId)).toEqual(there.map(one => one.authorityId))
      const rows = await fresh.sql<{ role: string; sealed_key: string }>(
        'home',
        'SELECT role, sealed_key FROM harmony_authorities',
      )
      expect(rows.map(row => row.role).sort()).toEqual(['APPLICATION', 'PROFILE', 'PROFILE_SIGNER', 'ROOT'])
      expect(rows.every(row => !row.sealed_key.includes('PRIVATE'))).toBe(true)
    } finally {
      await fresh.close()
    }
  })
})

describe('time', () => {
  it('ends a certificate and its profiles, after people were told once for each of the days', async () => {
    const team = await stage.person()
    await verifyLeader(team)
    const { certId } = await newCert(team, certTypes.release)
    const { appId } = await newHarmonyApp(team)
    const body = { provisionName: 'Timely', provisionType: 2, appId, certId }
    const { id } = await team.ok(profilesContract, 'createProfile', { body })
    const told = async (entityId: string) => {
      const rows = await stage.sql<{ type: string }>(
        'CN',
        'SELECT type FROM outbox WHERE entity_id = $1 ORDER BY event_id',
        [entityId],
      )
      return rows.map(row => row.type)
    }
    const turn = async (days: number) => {
      stage.clock.turn(days * day)
      await stage.booted.worker.sweep()
      await stage.settle()
    }
    await turn(1095 - 29)
    await turn(1)
    await turn(22)
    await turn(5.5)
    expect(await told(certId)).toEqual(['cert.issued', ...Array(3).fill('cert.expiring')])
    expect(await told(id)).toEqual(['profile.issued', ...Array(3).fill('profile.expiring')])
    await turn(1)
    expect((await told(certId)).at(-1)).toBe('cert.expired')
    expect((await told(id)).at(-1)).toBe('profile.expired')
    const kinds = await stage.sql<{ kind: string }>('CN', 'SELECT kind FROM notices WHERE entity_id = ANY($1)', [
      [certId, id],
    ])
    expect(kinds.map(row => row.kind).sort()).toEqual([
      ...Array(3).fill('cert.expiring'),
      ...Array(3).fill('profile.expiring'),
    ])
  })

  it('renews who signs profiles before one could outlive them, and what was issued before still leads to the root', async () => {
    const old = await authoritiesOf(systemContext(stage.booted.server, 'CN', { name: 'test' }))
    stage.clock.turn(4 * 365 * day)
    const now = await authoritiesOf(systemContext(stage.booted.server, 'CN', { name: 'test' }))
    const known = new Set(old.map(one => one.authorityId))
    expect(now.filter(one => !known.has(one.authorityId)).map(one => one.role)).toEqual(['PROFILE_SIGNER'])
    expect(chainAbove(old.find(one => one.role === 'PROFILE_SIGNER')!.certificate, now).length).toBe(2)
  })
})
