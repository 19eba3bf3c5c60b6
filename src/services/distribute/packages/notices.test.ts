import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { notices } from '../../ground/notices/contract.ts'
import { noticeTools } from '../../ground/notices/notices.testkit.ts'
import { apps } from '../apps/contract.ts'
import { claimDesk, claims } from './claims/contract.ts'
import { newApp, processed } from './packages.testkit.ts'

let stage: Stage
let tools: ReturnType<typeof noticeTools>
beforeAll(async () => {
  stage = await openStage()
  tools = noticeTools(stage)
})
afterAll(() => stage.close())

const inbox = async (person: Person) => (await person.ok(notices, 'listNotices', { query: { pageSize: 100 } })).list

it('a package that cannot be used is told in the inbox and by mail to those who upload, with its page', async () => {
  const developer = await tools.mailPerson('en')
  const analyst = await stage.person({ team: developer.teamId, roles: ['analyst'] })
  const { appId } = await newApp(developer, 'Oar')
  const pkg = await processed(stage, developer, { appId, file: Buffer.from('no archive'), fileName: 'oar.apk' })
  expect(pkg.state).toBe('FAILED')
  await stage.settle()
  const [told] = (await inbox(developer)).filter(one => one.entityId === pkg.pkgId)
  expect(told).toMatchObject({ kind: 'package.failed', href: `/apps/${appId}/packages/${pkg.pkgId}` })
  expect(told?.title).toEqual({
    zh: 'Oar 的软件包 oar.apk 无法使用',
    en: 'The package oar.apk of Oar cannot be used',
    ru: 'Пакет oar.apk приложения Oar использовать нельзя',
  })
  expect((await tools.mailsTo(developer)).map(mail => mail.subject)).toContain(told?.title.en)
  expect((await inbox(analyst)).filter(one => one.entityId === pkg.pkgId)).toEqual([])
})

it('a claim on a name is told to both sides, step by step, once, and neither learns who the other is', async () => {
  const [holder, claimant] = [await tools.mailPerson('en'), await tools.mailPerson('en')]
  const operator = await stage.person({ staff: ['storeOperator'] })
  const packageName = 'com.example.wanted'
  const { appId: heldId } = await newApp(holder, 'Holder', 'HARMONY')
  const { revision } = await holder.ok(apps, 'getApp', { query: { appId: heldId } })
  await holder.ok(apps, 'updatePackageName', { body: { appId: heldId, packageName, revision } })
  const { appId } = await newApp(claimant, 'Wants', 'HARMONY')
  const body = { appId, packageName, method: 'DOCUMENT' as const, evidence: 'Trademark 123' }
  const kinds = async (person: Person, claimId: string) =>
    (await inbox(person)).filter(one => one.entityId === claimId).map(one => one.kind)

  const first = await claimant.ok(claims, 'createClaim', { body })
  const note = 'Another class.'
  const refusal = { claimId: first.claimId, verdict: 'refuse' as const, note, revision: first.revision }
  await operator.ok(claimDesk, 'decideClaim', { body: refusal })
  await stage.settle()
  await stage.sql('home', "UPDATE outbox SET relayed_at = NULL, attempts = 0 WHERE type LIKE 'claim.%'")
  await stage.sql('home', "DELETE FROM event_receipts WHERE listener = 'packages.claimNotices'")
  await stage.settle()
  expect(await kinds(holder, first.claimId)).toEqual(['claim.refused', 'claim.created'])
  expect(await kinds(claimant, first.claimId)).toEqual(['claim.refused'])

  const second = await claimant.ok(claims, 'createClaim', { body })
  await claimant.ok(claims, 'withdrawClaim', { query: { claimId: second.claimId } })
  const third = await claimant.ok(claims, 'createClaim', { body })
  const grant = { claimId: third.claimId, verdict: 'grant' as const, note, revision: third.revision }
  await operator.ok(claimDesk, 'decideClaim', { body: grant })
  await stage.settle()
  expect(await kinds(holder, second.claimId)).toEqual(['claim.canceled', 'claim.created'])
  expect(await kinds(holder, third.claimId)).toEqual(['claim.granted', 'claim.created'])
  expect(await kinds(claimant, third.claimId)).toEqual(['claim.granted'])
  const subjects = (await tools.mailsTo(claimant)).map(mail => mail.subject)
  expect(subjects).toContain(`The package name ${packageName} is yours now`)
  const seen = JSON.stringify([await inbox(holder), await inbox(claimant)].map(list => list.map(one => one.text)))
  expect([holder, claimant].some(one => seen.includes(one.teamId))).toBe(false)
})
