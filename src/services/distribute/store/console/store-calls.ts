import i18next from 'i18next'
import { client } from '../../../../console/client.ts'
import { type Language, localeOf } from '../../../../console/language.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { apps } from '../../apps/contract.ts'
import { versions } from '../../versions/contract.ts'
import { store } from '../contract.ts'

export const api = client(store)
export const appsApi = client(apps)
export const versionsApi = client(versions)

type Calls = typeof store.calls
export type StoreFace = Answer<Calls['listApps']>['list'][number]
export type StoreApp = Answer<Calls['getApp']>
export type StoreVersion = StoreApp['versions'][number]
export type ReachRow = Answer<Calls['getVersionReach']>['list'][number]

/** What the store takes for the language on screen: `ru-RU`. */
export function storeLanguage(): string {
  return localeOf[(i18next.resolvedLanguage ?? 'zh') as Language]
}
