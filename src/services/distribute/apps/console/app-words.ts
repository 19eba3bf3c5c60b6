import i18next from 'i18next'
import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import { type Language, localeOf } from '../../../../console/language.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import type { apps } from '../contract.ts'

export type KindView = Answer<typeof apps.calls.listKinds>['list'][number]

export const shownLocale = () => localeOf[(i18next.resolvedLanguage ?? 'zh') as Language]

/** `zhCN` in the words of the language on screen; the key where the browser knows none. */
export function languageName(key: string): string {
  const found = /^([a-z]{2,3})([A-Z]{2}|\d{3})?$/.exec(key)
  if (!found) return key
  const tag = found[2] ? `${found[1]}-${found[2]}` : String(found[1])
  const name = new Intl.DisplayNames([shownLocale()], { type: 'language' }).of(tag) ?? key
  return name.charAt(0).toLocaleUpperCase(shownLocale()) + name.slice(1)
}

export function kindName({ nameByLang }: KindView): string {
  const language = (i18next.resolvedLanguage ?? 'zh') as Language
  return nameByLang[({ zh: 'zhCN', en: 'enUS', ru: 'ruRU' } as const)[language]]
}

/** `Tools / Browsers`, without the root. */
export function kindPath(kinds: readonly KindView[], id: number | null): string {
  const names: string[] = []
  for (let at = kinds.find(one => one.id === id); at && at.parentId !== null; ) {
    names.unshift(kindName(at))
    const above: number = at.parentId
    at = kinds.find(one => one.id === above)
  }
  return names.join(' / ') || '–'
}

const tones: Readonly<Record<string, Tone>> = {
  DRAFT: 'off',
  PRECHECK: 'running',
  PRECHECK_FAILED: 'bad',
  IN_REVIEW: 'running',
  REJECTED: 'bad',
  PENDING_RELEASE: 'waiting',
  WITHDRAWN: 'stopped',
  SHELF_OFF_REVIEW: 'caution',
}

export const toneOfVersion = (state: string): Tone => tones[state] ?? 'info'
export const versionText = (version: { versionName: string; versionCode: string }) =>
  version.versionName ? `${version.versionName} (${version.versionCode})` : version.versionCode
