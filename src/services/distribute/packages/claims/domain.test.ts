import https from 'node:https'
import type { AddressInfo } from 'node:net'
import forge from 'node-forge'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Outbound } from '../../../../server/outbound.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { apps } from '../../apps/contract.ts'
import { newApp, processed } from '../packages.testkit.ts'
import { makeHolder } from '../readers/authority.testkit.ts'
import { type HarmonyKeys, makeHap, makeHarmonyKeys, signHap } from '../readers/hap.testkit.ts'
import { claims } from './contract.ts'
import { claimLimits, domainProof, domainsOf } from './rules.ts'

describe('a package name', () => {
  it.each<[string, string[]]>([
    ['com.example.app', ['example.com', 'app.example.com']],
    ['io.github.Me.tool', ['github.io', 'me.github.io', 'tool.me.github.io']],
    ['com.example.my_app', ['example.com']],
    ['com.my_company.app', []],
    ['single', []],
  ])('%s is of the owners of %j', (name, domains) => {
    expect(domainsOf(name)).toEqual(domains)
  })
})

let stage: Stage
let holder: Person
let claimant: Person
let keys: HarmonyKeys
let server: https.Server
const texts = new Map<string, string[][]>()
let file: { status: number; text: string; location?: string }
const asked: string[] = []
const hidden = new Set<string>()

/** The whole internet is one server of the test, which a test authority vouches for. */
beforeAll(async () => {
  keys = makeHarmonyKeys()
  const site = makeHolder({
    commonName: 'test authority',
    names: ['*.test', 'claimed1.test', 'claimed2.test', 'claimed3.test', 'claimed4.test'],
  })
  const options = { key: forge.pki.privateKeyToPem(site.privateKey), cert: site.pem }
  server = https.createServer(options, (request, response) => {
    asked.push(`${request.headers.host}${request.url}`)
    response.writeHead(file.status, file.location ? { location: file.location } : {}).end(file.text)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  stage = await openStage()
  const { port } = server.address() as AddressInfo
  await stage.booted.server.outbound.close()
  stage.booted.server.outbound = new Outbound({
    allow: ['127.0.0.1'],
    resolve: async name => (hidden.has(name) ? ['10.0.0.1'] : ['127.0.0.1']),
    resolveTexts: async name => texts.get(name) ?? Promise.reject(new Error('ENOTFOUND')),
    door: { port, ca: site.pem },
  })
  holder = await stage.person()
  claimant = await stage.person()
})
afterAll(async () => {
  await stage.close()
  server.closeAllConnections()
  server.close()
})

let made = 0
/** `test.claimedN.app`: of the owner of claimedN.test. */
async function held() {
  file = { status: 404, text: '' }
  const packageName = `test.claimed${++made}.app`
  const { appId: holderAppId } = await newApp(holder, 'Holder', 'HARMONY')
  const bytes = signHap(makeHap({ bundleName: packageName }), keys, { bundleName: packageName })
  expect((await processed(stage, holder, { appId: holderAppId, file: bytes, fileName: 'a.hap' })).state).toBe('READY')
  const { appId } = await newApp(claimant, 'Claimant', 'HARMONY')
  const claim = await claimant.ok(claims, 'createClaim', { body: { appId, packageName, method: 'DOMAIN' } })
  return { ...claim, packageName, holderAppId, appId, challenge: claim.challenge ?? '', domain: claim.domain ?? '' }
}

async function looked(claimId: string) {
  await claimant.ok(claims, 'proveClaim', { body: { claimId } })
  await stage.settle()
  const { list } = await claimant.ok(claims, 'listClaims', { query: { claimId } })
  return list[0]!
}

describe('a claim by domain', () => {
  it('stays open until the domain shows the code, and says so', async () => {
    const claim = await held()
    expect(claim).toMatchObject({ state: 'PROVING', method: 'DOMAIN', domain: 'claimed1.test', expectedSigners: [] })
    texts.set(`_loggia-claim.${claim.domain}`, [['v=spf1 -all'], ['loggia-claim=of somebody else']])
    const now = await looked(claim.claimId)
    expect([now.state, now.proof]).toEqual(['PROVING', { signers: [], reason: 'DOMAIN' }])
    expect(asked.at(-1)).toBe('claimed1.test/.well-known/loggia-claim.txt')
  })

  it('with a TXT record, cut or not, moves the name after the time to object', async () => {
    const claim = await held()
    const { recordName, recordValue } = domainProof(claim.domain, claim.challenge)
    texts.set(recordName, [['other'], [recordValue.slice(0, 9), recordValue.slice(9)]])
    expect((await looked(claim.claimId)).state).toBe('NOTICE')
    stage.clock.turn(claimLimits.noticeMs + 1000)
    await stage.booted.worker.sweep()
    await stage.settle()
    holder = await stage.person({ team: holder.teamId })
    claimant = await stage.person({ team: claimant.teamId })
    expect((await claimant.ok(apps, 'getApp', { query: { appId: claim.appId } })).packageName).toBe(claim.packageName)
    expect((await holder.ok(apps, 'getApp', { query: { appId: claim.holderAppId } })).packageName).toBeNull()
  })

  it('with a line of a file of the domain is proved, and the holder may object', async () => {
    const claim = await held()
    file = { status: 200, text: `# claims\r\n${claim.challenge}\r\n` }
    expect((await looked(claim.claimId)).state).toBe('NOTICE')
    const body = { claimId: claim.claimId, reason: 'The domain was sold; the app is ours.' }
    expect((await holder.ok(claims, 'objectToClaim', { body })).state).toBe('OBJECTED')
  })

  it.each<[string, (challenge: string) => void]>([
    ['an error page that holds the code', challenge => (file = { status: 404, text: challenge })],
    ['a page with the code somewhere', challenge => (file = { status: 200, text: `<p>${challenge}</p>` })],
    ['a file without end', challenge => (file = { status: 200, text: `${'x'.repeat(9000)}\n${challenge}` })],
    [
      'a way to another place',
      challenge => (file = { status: 302, text: challenge, location: 'https://elsewhere.test/' }),
    ],
    [
      'a private address',
      challenge => {
        hidden.add('claimed4.test')
        file = { status: 200, text: challenge }
      },
    ],
  ])('is not proved by %s', async (_says, show) => {
    made = 3
    await stage.sql(
      'home',
      `DELETE FROM package_claims; DELETE FROM package_names WHERE name_key = 'test.claimed4.app'`,
    )
    const claim = await held()
    show(claim.challenge)
    expect((await looked(claim.claimId)).state).toBe('PROVING')
  })

  it('is of a domain that has a say in the name', async () => {
    const { packageName } = await held().catch(() => ({ packageName: 'test.claimed4.app' }))
    const { appId } = await newApp(claimant, 'Other', 'HARMONY')
    const asks = await claimant.ok(claims, 'checkName', { body: { packageType: 'HARMONY', packageName } })
    expect(asks).toMatchObject({ methods: ['SIGNATURE', 'DOMAIN', 'DOCUMENT'], domains: domainsOf(packageName) })
    const refused = await claimant.call(claims, 'createClaim', {
      body: { appId, packageName, method: 'DOMAIN', domain: 'attacker.test' },
    })
    expect([refused.status, refused.body.ret.code]).toEqual([422, 202020027])
  })
})
