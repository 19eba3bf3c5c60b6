import i18next from 'i18next'
import { client } from '../../../../console/client.ts'
import { type Language, localeOf } from '../../../../console/language.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { apps } from '../../apps/contract.ts'
import { betaTester } from '../../beta-test/tester/contract.ts'
import { deviceComments } from '../../comments/devices/contract.ts'
import { versions } from '../../versions/contract.ts'
import { store } from '../contract.ts'
import { storeDecision } from '../decision/contract.ts'
import { storeField } from '../field/contract.ts'
import { storeGroups } from '../repository/groups/contract.ts'
import { storeTests } from '../testing/contract.ts'
import { transparency } from '../transparency/contract.ts'

export const api = client(store)
export const appsApi = client(apps)
export const versionsApi = client(versions)
export const decisionApi = client(storeDecision)
export const fieldApi = client(storeField)
export const groupsApi = client(storeGroups)
export const testsApi = client(storeTests)
export const testerApi = client(betaTester)
export const opinionsApi = client(deviceComments)
export const logApi = client(transparency)

type Calls = typeof store.calls
export type StoreFace = Answer<Calls['listApps']>['list'][number]
export type StoreApp = Answer<Calls['getApp']>
export type StoreVersion = StoreApp['versions'][number]
export type ReachRow = Answer<Calls['getVersionReach']>['list'][number]

export type GroupView = Answer<(typeof storeGroups.calls)['listGroups']>['list'][number]
export type DecisionView = Answer<(typeof storeDecision.calls)['previewUpdate']>
export type LogHead = Answer<(typeof transparency.calls)['getLogHead']>
export type LogProof = Answer<(typeof transparency.calls)['proveInclusion']>['list'][number]
export type Invitation = Answer<(typeof betaTester.calls)['viewInvitation']>
export type TestsView = Answer<(typeof storeTests.calls)['viewTests']>
export type InstallDay = Answer<(typeof storeField.calls)['listInstallDays']>['list'][number]
export type FieldView = Answer<(typeof storeField.calls)['listFieldVersions']>

/** What the store takes for the language on screen: `ru-RU`. */
export function storeLanguage(): string {
  return localeOf[(i18next.resolvedLanguage ?? 'zh') as Language]
}
