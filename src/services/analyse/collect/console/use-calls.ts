import i18next from 'i18next'
import { client } from '../../../../console/client.ts'
import { type Language, localeOf } from '../../../../console/language.ts'
import { allRegistered } from '../../../../console/registry.ts'
import type { Answer, Input } from '../../../../kernel/contract.ts'
import { collect } from '../contract.ts'

export const api = client(collect)

type Calls = typeof collect.calls
export type UseDays = Answer<Calls['listUseDays']>
export type TeamName = Answer<Calls['listTeamNames']>['list'][number]
export type UseAsked = Input<Calls['listUseDays']>['query']

export function shownLanguage(): Language {
  return (i18next.resolvedLanguage ?? 'zh') as Language
}

export const numberText = (value: number): string => value.toLocaleString(localeOf[shownLanguage()])

/** A day of the report, as the language on screen writes it. Days are UTC. */
export function dayText(day: string, withYear = false): string {
  const parts: Intl.DateTimeFormatOptions = { day: '2-digit', month: '2-digit', timeZone: 'UTC' }
  return new Intl.DateTimeFormat(localeOf[shownLanguage()], { ...parts, ...(withYear && { year: 'numeric' }) }).format(
    new Date(`${day}T00:00:00Z`),
  )
}

/** What a page is called, where it is one of this console's. */
export function pageTitle(path: string): string | undefined {
  return allRegistered().find(page => page.path === path)?.title[shownLanguage()]
}

/** The last days up to now, the oldest first. */
export function lastDays(count: number, now = Date.now()): string[] {
  return Array.from({ length: count }, (_none, at) =>
    new Date(now - (count - 1 - at) * 86_400_000).toISOString().slice(0, 10),
  )
}
