import { X509Certificate } from 'node:crypto'
import forge from 'node-forge'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { packages } from '../contract.ts'
import { newApp, processed } from '../packages.testkit.ts'
import { makeHolder } from '../readers/authority.testkit.ts'
import { type HarmonyKeys, makeHap, makeHarmonyKeys, signHap } from '../readers/hap.testkit.ts'
import { trustDesk } from './contract.ts'

const day = 86_400_000
let stage: Stage
let developer: Person
let operator: Person
let keys: HarmonyKeys
let pkgId: string
beforeAll(async () => {
  stage = await openStage()
  developer = await stage.person()
  operator = await stage.person({ staff: ['storeOperator'] })
  keys = makeHarmonyKeys()
  const { appId } = await newApp(developer, 'Signed', 'HARMONY')
  const bundleName = 'com.example.trusted'
  const made = await processed(stage, developer, {
    appId,
    file: signHap(makeHap({ bundleName }), keys, { bundleName }),
    fileName: 'a.hap',
  })
  expect([made.state, made.trust]).toEqual(['READY', null])
  pkgId = made.pkgId
})
afterAll(() => stage.close())

const rootPem = () => forge.pki.certificateToPem(keys.developer.chain.at(-1) as forge.pki.Certificate)
const add = (pem: string) => operator.call(trustDesk, 'addTrustedRoots', { body: { purpose: 'HARMONY', pem } })
const look = async () => {
  const { trust, findings } = await developer.ok(packages, 'getPackage', { query: { pkgId } })
  return [trust?.verdict ?? null, findings.map(one => one.code)]
}

describe('the roots that the store trusts', () => {
  it('decide at once what is said of packages that are there already', async () => {
    expect((await add(makeHolder({ commonName: 'Somebody else' }).pem)).status).toBe(200)
    expect(await look()).toEqual(['UNKNOWN_ROOT', [1131]])
    const { list } = (await add(rootPem())).body
    expect(list.map(one => one.subject)).toEqual(['CN=Test Root CA'])
    expect(await look()).toEqual(['TRUSTED', []])
    const ofPrograms = await operator.ok(trustDesk, 'listTrustedRoots', { query: { purpose: 'AUTHENTICODE' } })
    expect(ofPrograms.total).toBe(0)
    await operator.ok(trustDesk, 'removeTrustedRoot', { query: { rootId: list[0]!.rootId } })
    expect(await look()).toEqual(['UNKNOWN_ROOT', [1131]])
    const left = await operator.ok(trustDesk, 'listTrustedRoots', {})
    await operator.ok(trustDesk, 'removeTrustedRoot', { query: { rootId: left.list[0]!.rootId } })
    expect(await look()).toEqual([null, []])
    const audits = await stage.sql<{ action: string }>(
      'home',
      `SELECT action FROM audit WHERE entity = 'trustedRoot' ORDER BY audit_id`,
    )
    const [added, removed] = ['trustedRoot.add', 'trustedRoot.remove']
    expect(audits.map(one => one.action)).toEqual([added, added, removed, removed])
  })

  it('come as a text of several, once each, and are authorities', async () => {
    const [first, second] = [makeHolder({ commonName: 'First' }), makeHolder({ commonName: 'Second' })]
    const both = (await add(`Bag attributes\n${first.pem}\n${second.pem}`)).body.list
    expect(both).toHaveLength(2)
    const again = (await add(first.pem)).body.list
    expect(again.map(one => one.rootId)).toEqual([both.find(one => one.subject === 'CN=First')?.rootId])
    expect((await operator.ok(trustDesk, 'listTrustedRoots', {})).total).toBe(2)
    const leaf = makeHolder({ commonName: 'Leaf', issuer: first })
    const refused = [await add(leaf.pem), await add('hello'), await add(first.pem.replace('MII', 'AAA'))]
    expect(refused.map(one => one.body.ret.code)).toEqual([202020031, 202020030, 202020030])
    for (const { rootId } of both) await operator.ok(trustDesk, 'removeTrustedRoot', { query: { rootId } })
    const gone = await operator.call(trustDesk, 'removeTrustedRoot', { query: { rootId: both[0]!.rootId } })
    expect(gone.status).toBe(404)
  })

  it('are for people of the store only', async () => {
    const reviewer = await stage.person({ staff: ['reviewer'] })
    for (const person of [developer, reviewer]) {
      expect((await person.call(trustDesk, 'listTrustedRoots', {})).status).toBe(403)
      const body = { purpose: 'HARMONY' as const, pem: rootPem() }
      expect((await person.call(trustDesk, 'addTrustedRoots', { body })).status).toBe(403)
    }
  })

  it('end with the clock', async () => {
    await add(rootPem())
    expect(await look()).toEqual(['TRUSTED', []])
    const ends = new X509Certificate(keys.developer.pem).validToDate.getTime()
    stage.clock.turn(ends + day - stage.clock.now())
    developer = await stage.person({ team: developer.teamId })
    expect(await look()).toEqual(['EXPIRED', [1132]])
  })
})
