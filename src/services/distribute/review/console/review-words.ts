import i18next from 'i18next'
import { isCallError } from '../../../../console/call-error.ts'
import { errorText } from '../../../../console/error-text.ts'
import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import { localeOf } from '../../../../console/language.ts'
import { languageName as languageOfTag, shownLanguage } from '../../../../console/shown.ts'
import { languageTag } from '../../../ground/regions/contract.ts'
import type { ItemState, SubmissionState, TaskState } from '../rules.ts'
import type { IssueView, PolicyView } from './review-calls.ts'

export const ns = 'distribute/review'

export const toneOfSubmission: Record<SubmissionState, Tone> = {
  WAITING: 'waiting',
  IN_REVIEW: 'running',
  UNRESOLVED: 'bad',
  COMPLETE: 'good',
  CANCELED: 'stopped',
}

export const toneOfTask: Record<TaskState, Tone> = {
  QUEUED: 'waiting',
  CLAIMED: 'running',
  WAITING: 'caution',
  DECIDED: 'good',
  CANCELED: 'stopped',
}

export const toneOfItem: Record<ItemState, Tone> = {
  PENDING: 'waiting',
  ACCEPTED: 'good',
  REJECTED: 'bad',
  REMOVED: 'stopped',
}

/** What a message is about, where several things were handed in together. */
export function nameOfItem(
  items: readonly { itemId: string; appName: string; versionName: string | null }[],
  itemId: string,
): string | undefined {
  const found = items.length > 1 ? items.find(one => one.itemId === itemId) : undefined
  return found && `${found.appName} ${found.versionName ?? ''}`.trim()
}

/** `2.2 Screenshots do not show the app`, in the reader's language. */
export function policyTitle(policies: readonly PolicyView[] | undefined, policyId: string): string {
  const found = policies?.find(one => one.policyId === policyId)
  return found ? `${policyId} ${found.titles[shownLanguage()]}` : policyId
}

/** The rule as it read when the decision named it. */
export function clauseTitle(issue: IssueView, policies: readonly PolicyView[] | undefined): string {
  return issue.clause ? `${issue.policyId} ${issue.clause[shownLanguage()]}` : policyTitle(policies, issue.policyId)
}

/** What the rule says in full, where it still reads as it did. */
export function ruleText(issue: IssueView, policies: readonly PolicyView[] | undefined): string | undefined {
  const found = policies?.find(one => one.policyId === issue.policyId)
  return found?.version === (issue.policyVersion ?? found?.version) ? found?.texts[shownLanguage()] : undefined
}

export function versionName(of: { versionName: string | null; versionCode: string | null }): string {
  return `${of.versionName ?? '–'} (${of.versionCode ?? '–'})`
}

/** A refusal of files said with this service's sentence, where it has one. */
export function refusalText(error: unknown): string {
  if (isCallError(error) && i18next.exists(`errors.${error.number}`, { ns })) {
    return i18next.t(`errors.${error.number}`, { ns, ...error.detail })
  }
  return errorText(error)
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** A span in its largest fitting unit, in the reader's language: 2 days, 5 hours. */
export function durationText(ms: number): string {
  const [unit, size] = units.find(one => ms >= one[1]) ?? units[2]
  const value = Math.max(1, Math.round(ms / size))
  return new Intl.NumberFormat(localeOf[shownLanguage()], { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** `87 %`; a dash where there is nothing to take a share of. */
export function percentText(share: number | null): string {
  if (share === null) return '–'
  return share.toLocaleString(localeOf[shownLanguage()], { style: 'percent', maximumFractionDigits: 1 })
}

/** `zhCN` in the words of the language on screen. */
export const languageName = (key: string): string => languageOfTag(languageTag(key))
