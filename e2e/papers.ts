import { readFileSync } from 'node:fs'
import path from 'node:path'
import { apps } from '../src/services/distribute/apps/contract.ts'
import { appTransfer } from '../src/services/distribute/apps/transfer/contract.ts'
import { buildApk } from '../src/services/distribute/packages/apk/build-apk.testkit.ts'
import { solidPng } from '../src/services/distribute/packages/apk/png.testkit.ts'
import { qualification } from '../src/services/distribute/qualification/contract.ts'
import { qualificationDesk } from '../src/services/distribute/qualification/desk/contract.ts'
import { recordal } from '../src/services/distribute/recordal/contract.ts'
import { series } from '../src/services/distribute/series/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { teams } from '../src/services/ground/teams/contract.ts'
import type { Visitor } from './loggia.ts'
import { startPackage, untilReady } from './releases.ts'

const day = 86_400_000

/** An app for investors: its papers were asked about, those for payments passed; a series with it; a move that waits; a filing. */
export async function handInPapers(owner: Visitor, reviewer: Visitor, folder: string | null): Promise<string> {
  const { projectId } = await owner.ok(projects, 'createProject', { body: { name: 'Purse' } })
  const make = async (name: string, packageType: 'ANDROID' | 'HARMONY') =>
    owner.ok(apps, 'createApp', {
      body: {
        projectId,
        name,
        packageType,
        defaultLang: 'enUS',
        deviceTypes: [8],
        kindMainTag: 10603,
        kindSubTags: [10602],
      },
    })
  const { appId } = await make('Purse', 'ANDROID')
  const harmony = await make('Purse', 'HARMONY')
  const now = Date.now()
  const paper = async (qualificationCode: string, isForEver: boolean) => ({
    qualificationCode,
    files: [{ objectId: await owner.upload(solidPng(60), `${qualificationCode}.png`, 'app_qual') }],
    validityType: isForEver ? 1 : 0,
    startTime: isForEver ? null : now - day,
    expireTime: isForEver ? null : now + 40 * day,
  })
  const { list } = await owner.ok(qualification, 'createTasks', {
    body: {
      appId,
      tags: [
        {
          tagId: 10603,
          qualificationInfos: [await paper('BUSINESS_LICENCE', true), await paper('FUND_LICENCE', true)],
        },
        { tagId: 10602, qualificationInfos: [await paper('PAYMENT_LICENCE', false)] },
      ],
      submit: true,
    },
  })
  const [invest, payments] = list
  const decide = (task: typeof invest, verdict: 'ask' | 'pass', note = '') =>
    reviewer.ok(qualificationDesk, 'decideDeskTask', {
      body: { taskId: task?.taskId ?? '', verdict, revision: task?.revision ?? 1, note },
    })
  await decide(invest, 'ask', 'The licence names another company. Are you one group?')
  await decide(payments, 'pass')
  await owner.ok(series, 'createSeries', {
    body: {
      name: 'Purse',
      apps: [
        { appId, role: 'MAIN' },
        { appId: harmony.appId, role: 'SUB' },
      ],
    },
  })
  const { teamId } = await owner.ok(teams, 'createTeam', {
    body: { name: 'Second house', countryCode: 'CN', siteId: 1 },
  })
  const { appId: leaving } = await owner.ok(apps, 'createApp', {
    body: { projectId, name: 'Old times', packageType: 'NO_PACKAGE', defaultLang: 'enUS', deviceTypes: [8] },
  })
  await owner.ok(appTransfer, 'createMove', {
    body: { appIds: [leaving], toTeamId: teamId, note: 'As agreed in May.' },
  })
  if (folder !== null) await fileInChina(owner, appId, folder)
  return appId
}

async function fileInChina(owner: Visitor, appId: string, folder: string): Promise<void> {
  const apk = path.join(folder, 'purse.apk')
  await buildApk(apk, { package: 'com.example.purse', permissions: ['android.permission.INTERNET'] })
  const { pkgId } = await startPackage(owner, appId, readFileSync(apk))
  await untilReady(owner, pkgId)
  const { actual } = await owner.ok(recordal, 'queryCheckRecordal', { body: { appId } })
  await owner.ok(recordal, 'checkRecordal', {
    body: {
      appId,
      registeredDclType: 0,
      recordalNumber: '京ICP备12345678号-1A',
      registeredIdType: 1,
      registeredIdNumber: '91350100M000100Y43',
      registeredEntity: 1,
      registeredEntityName: 'Example Ltd',
      features: {
        packageName: actual?.packageName ?? '',
        certMd5: actual?.certMd5 ?? '',
        publicKeyModulus: actual?.publicKeyModulus ?? '',
      },
      evidence: [await owner.upload(solidPng(60), 'filing.png', 'app_qual')],
    },
  })
}
