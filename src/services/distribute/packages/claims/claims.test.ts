import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { apps } from '../../apps/contract.ts'
import { packages } from '../contract.ts'
import { newApp, processed, uploadBytes } from '../packages.testkit.ts'
import { type HarmonyKeys, makeHap, makeHarmonyKeys, signHap } from '../readers/hap.testkit.ts'
import { atomicClaims, claimDesk, claims } from './contract.ts'
import { claimLimits } from './rules.ts'

let stage: Stage
let holder: Person
let claimant: Person
let operator: Person
let keys: HarmonyKeys
beforeAll(async () => {
  stage = await openStage()
  keys = makeHarmonyKeys()
  await newPeople()
})
afterAll(() => stage.close())

/** Sessions end when the clock is turned far. */
async function newPeople(): Promise<void> {
  holder = await stage.person()
  claimant = await stage.person()
  operator = await stage.person({ staff: ['storeOperator'] })
}

let made = 0
/** A name that the holder's accepted package has, and an app of the claimant that wants it. */
async function heldName() {
  const packageName = `com.example.claimed${++made}`
  const { appId: holderAppId } = await newApp(holder, 'Holder', 'HARMONY')
  const file = signHap(makeHap({ bundleName: packageName }), keys, { bundleName: packageName })
  const { pkgId, state } = await processed(stage, holder, { appId: holderAppId, file, fileName: 'a.hap' })
  expect(state).toBe('READY')
  const { appId } = await newApp(claimant, 'Claimant', 'HARMONY')
  return { packageName, holderAppId, appId, pkgId }
}

const proof = (packageName: string, challenge: string, signer = keys.developer) =>
  signHap(
    makeHap({
      bundleName: packageName,
      versionCode: 9,
      files: [{ name: 'resources/rawfile/agc-claim', data: `${challenge}\n` }],
    }),
    keys,
    { bundleName: packageName, signer, certificate: signer },
  )

async function prove(claimId: string, file: Buffer, person = claimant) {
  const objectId = await uploadBytes(stage, person, file, 'proof.hap')
  await person.ok(claims, 'proveClaim', { body: { claimId, objectId } })
  await stage.settle()
  return claim(claimId, person)
}

async function claim(claimId: string, person = claimant) {
  const { list } = await person.ok(claims, 'listClaims', { query: { claimId } })
  return list[0]!
}

const nameOf = async (person: Person, appId: string) =>
  (await person.ok(apps, 'getApp', { query: { appId } })).packageName

describe('a package name', () => {
  it('is free, yours, or held by somebody who is not told', async () => {
    const { packageName } = await heldName()
    const ask = (person: Person, name: string) =>
      person.ok(claims, 'checkName', { body: { packageType: 'HARMONY', packageName: name } })
    expect((await ask(claimant, 'com.example.nobody')).state).toBe('FREE')
    expect((await ask(holder, packageName)).state).toBe('YOURS')
    const held = await ask(claimant, packageName)
    expect(held).toMatchObject({ state: 'HELD', methods: ['SIGNATURE', 'DOMAIN', 'DOCUMENT'] })
    expect(held.holderMasked).toBe(`***${holder.teamId.slice(-4)}`)
  })
})

describe('a claim by signature', () => {
  it('moves the name after the time to object, and the holder has none then', async () => {
    const { packageName, holderAppId, appId } = await heldName()
    const open = await claimant.ok(claims, 'createClaim', { body: { appId, packageName } })
    expect(open).toMatchObject({
      state: 'PROVING',
      method: 'SIGNATURE',
      side: 'CLAIMANT',
      allowedActions: ['withdraw'],
    })
    expect(open.challenge).toMatch(/^[\w-]{24}$/)
    const proved = await prove(open.claimId, proof(packageName, open.challenge ?? ''))
    expect([proved.state, proved.proof?.reason]).toEqual(['NOTICE', null])
    const seen = await claim(open.claimId, holder)
    expect(seen).toMatchObject({ side: 'HOLDER', challenge: null, proof: null, allowedActions: ['object'] })

    stage.clock.turn(claimLimits.noticeMs + 1000)
    await stage.booted.worker.sweep()
    await stage.settle()
    const [holderNow, claimantNow] = [
      await stage.person({ team: holder.teamId }),
      await stage.person({ team: claimant.teamId }),
    ]
    expect((await claim(open.claimId, claimantNow)).state).toBe('GRANTED')
    expect([await nameOf(claimantNow, appId), await nameOf(holderNow, holderAppId)]).toEqual([packageName, null])
    const [proofFile] = await stage.sql(
      'CN',
      `SELECT state FROM file_objects WHERE file_name = 'proof.hap' ORDER BY object_id DESC LIMIT 1`,
    )
    expect(proofFile).toEqual({ state: 'TEMP' })
    const file = signHap(makeHap({ bundleName: packageName }), keys, { bundleName: packageName })
    expect((await processed(stage, claimantNow, { appId, file, fileName: 'own.hap' })).state).toBe('READY')
    await newPeople()
  })

  it('with a proof that proves nothing stays open, and says why', async () => {
    const { packageName, appId } = await heldName()
    const { claimId, challenge } = await claimant.ok(claims, 'createClaim', { body: { appId, packageName } })
    const nonce = challenge ?? ''
    const tries: [Buffer, string][] = [
      [Buffer.from('no package'), 'SIGNATURE'],
      [makeHap({ bundleName: packageName }), 'SIGNATURE'],
      [proof('com.example.wrong', nonce), 'NAME'],
      [proof(packageName, nonce, keys.other), 'SIGNER'],
      [proof(packageName, 'another nonce'), 'CHALLENGE'],
    ]
    for (const [file, reason] of tries) {
      const now = await prove(claimId, file)
      expect([now.state, now.proof?.reason]).toEqual(['PROVING', reason])
    }
    expect((await prove(claimId, proof(packageName, nonce))).state).toBe('NOTICE')
    const late = await claimant.call(claims, 'proveClaim', {
      body: { claimId, objectId: await uploadBytes(stage, claimant, Buffer.from('x'), 'a.hap') },
    })
    expect([late.status, late.body.ret.code]).toEqual([422, 202020025])
  })

  it('with the nonce, or the whole proof, of somebody else proves nothing: a nonce is of one claim', async () => {
    const { packageName, appId } = await heldName()
    const right = await claimant.ok(claims, 'createClaim', { body: { appId, packageName } })
    const thief = await stage.person()
    const { appId: own } = await newApp(thief, 'Thief', 'HARMONY')
    const theirs = await thief.ok(claims, 'createClaim', { body: { appId: own, packageName } })
    expect(theirs.challenge).not.toBe(right.challenge)
    const stolen = proof(packageName, right.challenge ?? '')
    const seen = await prove(theirs.claimId, stolen, thief)
    expect([seen.state, seen.proof?.reason]).toEqual(['PROVING', 'CHALLENGE'])
    const objectId = await uploadBytes(stage, thief, stolen, 'proof.hap')
    const foreign = await thief.call(claims, 'proveClaim', { body: { claimId: right.claimId, objectId } })
    expect(foreign.status).toBe(404)
    expect((await prove(right.claimId, stolen)).state).toBe('NOTICE')
  })

  it('is withdrawn by who made it, and by nobody else', async () => {
    const { packageName, appId } = await heldName()
    const { claimId } = await claimant.ok(claims, 'createClaim', { body: { appId, packageName } })
    const twice = await claimant.call(claims, 'createClaim', { body: { appId, packageName } })
    expect([twice.status, twice.body.ret.code]).toEqual([409, 202020021])
    const stranger = await stage.person()
    for (const person of [holder, stranger]) {
      expect((await person.call(claims, 'withdrawClaim', { query: { claimId } })).status).toBe(404)
    }
    expect((await claimant.call(atomicClaims, 'withdrawClaim', { query: { claimId } })).status).toBe(404)
    expect((await stranger.ok(claims, 'listClaims', { query: { claimId } })).total).toBe(0)
    expect((await claimant.ok(claims, 'withdrawClaim', { query: { claimId } })).state).toBe('CANCELED')
    expect((await claimant.ok(claims, 'createClaim', { body: { appId, packageName } })).state).toBe('PROVING')
  })
})

describe('a claim that the holder objects to', () => {
  it('is for the store to decide, which grants nothing while the name is on shelf', async () => {
    const { packageName, holderAppId, appId, pkgId } = await heldName()
    const { claimId, challenge } = await claimant.ok(claims, 'createClaim', { body: { appId, packageName } })
    await prove(claimId, proof(packageName, challenge ?? ''))
    const reason = 'The name is ours since the beginning.'
    const objected = await holder.ok(claims, 'objectToClaim', { body: { claimId, reason } })
    expect([objected.state, objected.objection]).toEqual(['OBJECTED', reason])
    const { list } = await operator.ok(claimDesk, 'listOpenClaims', {})
    const waiting = list.find(one => one.claimId === claimId)!
    expect(waiting).toMatchObject({ side: 'STORE', allowedActions: ['grant', 'refuse'], holderTeamId: holder.teamId })
    const body = {
      claimId,
      verdict: 'grant' as const,
      note: 'The certificate is the same.',
      revision: waiting.revision,
    }
    const shelf = { versionId: '1', pkgId, versionCode: '1', versionName: '1', signers: [], at: 1 }
    await stage.sql('CN', 'UPDATE apps SET shelf = $2 WHERE app_id = $1', [holderAppId, shelf])
    const early = await operator.call(claimDesk, 'decideClaim', { body })
    expect([early.status, early.body.ret.code]).toEqual([422, 202020026])
    await stage.sql('CN', 'UPDATE apps SET shelf = NULL WHERE app_id = $1', [holderAppId])
    expect((await operator.ok(claimDesk, 'decideClaim', { body })).state).toBe('GRANTED')
    await stage.settle()
    expect([await nameOf(claimant, appId), await nameOf(holder, holderAppId)]).toEqual([packageName, null])
    expect((await operator.call(claimDesk, 'decideClaim', { body })).status).toBe(422)
  })
})

describe('a claim by documents', () => {
  it('needs evidence, and goes to the store at once', async () => {
    const { packageName, appId } = await heldName()
    const body = { appId, packageName, method: 'DOCUMENT' as const }
    const empty = await claimant.call(claims, 'createClaim', { body })
    expect([empty.status, empty.body.ret.code]).toEqual([422, 202020023])
    const open = await claimant.ok(claims, 'createClaim', { body: { ...body, evidence: 'Trademark 123' } })
    expect(open.state).toBe('REVIEW')
    const refused = await operator.ok(claimDesk, 'decideClaim', {
      body: {
        claimId: open.claimId,
        verdict: 'refuse',
        note: 'The trademark is of another class.',
        revision: open.revision,
      },
    })
    expect(refused.state).toBe('REFUSED')
  })

  it('is the only way where the store knows no certificate', async () => {
    const { appId: holderAppId } = await newApp(holder, 'Reserved', 'HARMONY')
    const { revision } = await holder.ok(apps, 'getApp', { query: { appId: holderAppId } })
    const packageName = 'com.example.onlyreserved'
    await holder.ok(apps, 'updatePackageName', { body: { appId: holderAppId, packageName, revision } })
    const { appId } = await newApp(claimant, 'Wants', 'HARMONY')
    const refused = await claimant.call(claims, 'createClaim', { body: { appId, packageName, method: 'SIGNATURE' } })
    expect([refused.status, refused.body.ret.code]).toEqual([422, 202020022])
    const free = await claimant.call(claims, 'createClaim', { body: { appId, packageName: 'com.example.free1' } })
    expect([free.status, free.body.ret.code]).toEqual([422, 202020020])
    expect((await holder.ok(packages, 'listPackages', { query: { appId: holderAppId } })).total).toBe(0)
  })
})
