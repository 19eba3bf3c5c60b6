import { client } from '../../../../console/client.ts'
import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import { languageName as languageOfTag, shownLocale } from '../../../../console/shown.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { files } from '../../../ground/files/contract.ts'
import { languageTag } from '../../../ground/regions/contract.ts'
import { apps } from '../../apps/contract.ts'
import { materialTests } from '../tests/contract.ts'
import { materialDesk } from '../tests/desk/contract.ts'
import type { TestState, Verdict } from '../tests/rules.ts'

export const api = client(materialTests)
export const deskApi = client(materialDesk)
export const appsApi = client(apps)
export const filesApi = client(files)

type Calls = typeof materialTests.calls
export type TestInList = Answer<Calls['listTests']>['list'][number]
export type TestView = Answer<Calls['getTest']>
export type VariantView = TestView['variants'][number]
export type MaterialView = VariantView['materials'][number]
export type ReportView = Answer<Calls['getReport']>
export type ArmView = ReportView['result']['arms'][number]

export const tones: Readonly<Record<TestState, Tone>> = {
  DRAFT: 'off',
  AUDITING: 'waiting',
  AUDIT_REJECTED: 'bad',
  READY: 'info',
  RUNNING: 'running',
  STOPPED: 'stopped',
  APPLIED: 'good',
  DELETED: 'off',
}

export const verdictTones: Readonly<Record<Verdict, Tone>> = {
  WINNER: 'good',
  LOSER: 'bad',
  INCONCLUSIVE: 'stopped',
  NEED_MORE: 'waiting',
}

/** `12.5 %`, or a dash where there is no number. */
export function percentText(value: number | null, digits = 1): string {
  if (value === null) return '–'
  return new Intl.NumberFormat(shownLocale(), { style: 'percent', maximumFractionDigits: digits }).format(value)
}

/** With its sign: `+12.5 %`. */
export function liftText(value: number | null): string {
  if (value === null) return '–'
  const style = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const
  return new Intl.NumberFormat(shownLocale(), style).format(value)
}

export const numberText = (value: number): string => value.toLocaleString(shownLocale())

/** `zhCN` in the words of the language on screen. */
export const languageText = (key: string): string => languageOfTag(languageTag(key))
