import i18next from 'i18next'
import { isCallError } from '../../../../console/call-error.ts'
import { errorText } from '../../../../console/error-text.ts'
import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import { type Language, localeOf } from '../../../../console/language.ts'
import { listingLanguages } from '../../apps/contract.ts'
import type { VersionState } from '../life/rules.ts'
import type { VersionView } from './version-calls.ts'

export const ns = 'distribute/versions'

export const toneOf: Record<VersionState, Tone> = {
  DRAFT: 'off',
  PRECHECK: 'running',
  PRECHECK_FAILED: 'bad',
  IN_REVIEW: 'running',
  REJECTED: 'bad',
  PENDING_RELEASE: 'waiting',
  ON_SHELF: 'good',
  WITHDRAWN: 'stopped',
  SHELF_OFF_REVIEW: 'caution',
  OFF_BY_DEVELOPER: 'stopped',
  OFF_BY_STORE: 'bad',
  SUPERSEDED: 'off',
  PHASED: 'running',
  ROLLED_BACK: 'bad',
}

/** `2.0 (20)`; before a package is chosen, words for it. */
export function nameOf(version: Pick<VersionView, 'versionCode' | 'versionName'>): string {
  const { versionCode, versionName } = version
  if (versionCode === null) return versionName ?? i18next.t('version.unnamed', { ns })
  return versionName ? `${versionName} (${versionCode})` : versionCode
}

/** `zhCN` in the words of the language on screen; the key where the browser knows none. */
export function languageName(key: string): string {
  const found = /^([a-z]{2,3})([A-Z]{2}|\d{3})?$/.exec(key)
  if (!found) return key
  const [, language, region] = found as unknown as [string, string, string | undefined]
  const isUsual = region !== undefined && new Intl.Locale(language).maximize().region === region
  const isAlone = !(listingLanguages as readonly string[]).includes(language)
  const tag =
    key === 'zhCN' ? 'zh-Hans' : region === undefined || (isUsual && isAlone) ? language : `${language}-${region}`
  const name = new Intl.DisplayNames([shownLocale()], { type: 'language' }).of(tag) ?? key
  return name.charAt(0).toLocaleUpperCase(shownLocale()) + name.slice(1)
}

export function countryName(code: string): string {
  return new Intl.DisplayNames([shownLocale()], { type: 'region' }).of(code) ?? code
}

export function shownLocale(): string {
  return localeOf[(i18next.resolvedLanguage ?? 'zh') as Language]
}

/** A refusal of files or packages said with this service's sentence, where it has one. */
export function refusalText(error: unknown): string {
  if (isCallError(error) && i18next.exists(`errors.${error.number}`, { ns })) {
    return i18next.t(`errors.${error.number}`, { ns, ...error.detail })
  }
  return errorText(error)
}
