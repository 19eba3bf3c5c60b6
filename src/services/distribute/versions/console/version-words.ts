import i18next from 'i18next'
import { isCallError } from '../../../../console/call-error.ts'
import { errorText } from '../../../../console/error-text.ts'
import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import { languageName as languageOfTag } from '../../../../console/shown.ts'
import { languageTag } from '../../../ground/regions/contract.ts'
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

/** A refusal of files or packages said with this service's sentence, where it has one. */
export function refusalText(error: unknown): string {
  if (isCallError(error) && i18next.exists(`errors.${error.number}`, { ns })) {
    return i18next.t(`errors.${error.number}`, { ns, ...error.detail })
  }
  return errorText(error)
}

/** `zhCN` in the words of the language on screen. */
export const languageName = (key: string): string => languageOfTag(languageTag(key))
