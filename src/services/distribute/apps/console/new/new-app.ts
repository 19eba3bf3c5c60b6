import type { ContractForm } from '../../../../../console/kit/contract-form.ts'
import type { Language } from '../../../../../console/language.ts'
import type { Static } from '../../../../../kernel/shape.ts'
import type { apps } from '../../contract.ts'
import { deviceTypes } from '../../rules.ts'

export type NewApp = Static<typeof apps.calls.createApp.body>
export type NewAppForm = ContractForm<NewApp>

/** The fields that must be right before a step is left, step by step. */
export const fieldsOfStep: readonly (readonly (keyof NewApp)[])[] = [
  ['projectId'],
  ['name', 'defaultLang', 'packageType', 'kindMainTag', 'deviceTypes'],
  ['packageName'],
  [],
]

export function newAppDefaults(projectId: string, language: Language): NewApp {
  return {
    projectId,
    name: '',
    packageType: 'ANDROID',
    packageName: '',
    isGame: false,
    defaultLang: ({ zh: 'zhCN', en: 'enUS', ru: 'ruRU' } as const)[language],
    deviceTypes: [deviceTypes.phone],
  }
}
