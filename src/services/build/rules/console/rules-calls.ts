import i18next from 'i18next'
import { client } from '../../../../console/client.ts'
import { type Language, localeOf } from '../../../../console/language.ts'
import { projects } from '../../../ground/projects/contract.ts'
import { rules } from '../contract.ts'
import type { ruledServices } from '../rules.ts'

export const api = client(rules)
export const projectCalls = client(projects)

export type Service = (typeof ruledServices)[number]

export interface Where {
  projectId: string
  service: Service
}

const services: Record<string, Service> = {
  storage: 'agc.cloud.storage',
  database: 'agc.cloud.db',
  lowcode: 'agc.lowcode',
}

/** What the address calls storage is agc.cloud.storage in rules. */
export const serviceOf = (word: string): Service => services[word] ?? 'agc.cloud.storage'

export const rulesLocale = () => localeOf[i18next.resolvedLanguage as Language]

/** One line above the page tells of what is in force, the newest news only. */
export const inForceNotice = 'rules-in-force'
