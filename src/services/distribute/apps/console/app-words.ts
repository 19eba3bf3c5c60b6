import i18next from 'i18next'
import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import type { Language } from '../../../../console/language.ts'
import { languageName as languageOfTag } from '../../../../console/shown.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { languageTag } from '../../../ground/regions/contract.ts'
import type { apps } from '../contract.ts'

export type KindView = Answer<typeof apps.calls.listKinds>['list'][number]

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

/** `zhCN` in the words of the language on screen. */
export const languageName = (key: string): string => languageOfTag(languageTag(key))
