import i18next from 'i18next'
import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import { type Language, localeOf } from '../../../../console/language.ts'
import type { TaskState } from '../rules.ts'
import type { DefView } from './qualification-calls.ts'

export const tones: Readonly<Record<TaskState, Tone>> = {
  TO_SUBMIT: 'off',
  WAITING: 'running',
  PASSED: 'good',
  FAILED: 'bad',
  EXPIRED: 'caution',
  VOID: 'stopped',
}

const shown = () => i18next.language as Language

/** Of a text in three languages the one on screen. */
export function worded(name: { zhCN: string; enUS: string; ruRU: string }): string {
  return { zh: name.zhCN, en: name.enUS, ru: name.ruRU }[shown()] ?? name.enUS
}

export function paperName(defs: readonly DefView[], code: string): string {
  const def = defs.find(one => one.qualificationCode === code)
  return def ? worded(def.nameByLang) : code
}

/** Countries by name, in the order of the language on screen. */
export function countryNames(countries: readonly string[]): string {
  const locale = localeOf[shown()]
  const names = new Intl.DisplayNames([locale], { type: 'region' })
  const sorted = countries.map(code => names.of(code) ?? code).toSorted(new Intl.Collator(locale).compare)
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(sorted)
}

/** One or the other paper. */
export function eitherOf(names: readonly string[]): string {
  return new Intl.ListFormat(localeOf[shown()], { type: 'disjunction' }).format(names)
}

export function dayText(at: number): string {
  return new Intl.DateTimeFormat(localeOf[shown()], { dateStyle: 'medium' }).format(at)
}
