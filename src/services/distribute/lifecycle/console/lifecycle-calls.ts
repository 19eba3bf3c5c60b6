import i18next from 'i18next'
import { client } from '../../../../console/client.ts'
import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import type { Answer } from '../../../../kernel/contract.ts'
import { files } from '../../../ground/files/contract.ts'
import { apps } from '../../apps/contract.ts'
import { lifecycle } from '../contract.ts'
import { lifecycleDesk } from '../desk/contract.ts'
import type { Verdict } from '../rules.ts'

export const api = client(lifecycle)
export const deskApi = client(lifecycleDesk)
export const filesApi = client(files)
export const appCalls = client(apps)

export type DetectionView = Answer<(typeof lifecycle.calls)['getDetection']>
export type KeptView = Answer<(typeof lifecycle.calls)['listDemos']>['list'][number]
export type RatingView = Answer<(typeof lifecycle.calls)['getAlphaRating']>
export type WordView = Answer<(typeof lifecycleDesk.calls)['listWords']>['list'][number]
export type RowView = Answer<(typeof lifecycleDesk.calls)['listRows']>['list'][number]

export const toneOfVerdict: Record<Verdict, Tone> = { BLOCK: 'bad', WARN: 'caution', INFO: 'info', PASS: 'good' }

/** What a rule objects to, in the reader's language. */
export function ruleName(rule: string): string {
  return i18next.t(`rules.${rule.replace('.', '-')}`, { ns: 'distribute/lifecycle' })
}
