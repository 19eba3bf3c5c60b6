import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import type { AppView } from './app-calls.ts'

export const steps = {
  frozen: { tone: 'bad', to: '/apps/$appId', isUrgent: true },
  rejected: { tone: 'bad', to: '/apps/$appId/version', isUrgent: true },
  precheck: { tone: 'bad', to: '/apps/$appId/version', isUrgent: true },
  release: { tone: 'caution', to: '/apps/$appId/version', isUrgent: true },
  finish: { tone: 'info', to: '/apps/$appId/version', isUrgent: false },
  waiting: { tone: 'running', to: '/apps/$appId/version', isUrgent: false },
  upload: { tone: 'info', to: '/apps/$appId/packages', isUrgent: false },
  prepare: { tone: 'info', to: '/apps/$appId/version', isUrgent: false },
  relist: { tone: 'stopped', to: '/apps/$appId/version', isUrgent: false },
  live: { tone: 'good', to: '/apps/$appId/packages', isUrgent: false },
} as const satisfies Record<string, { tone: Tone; to: string; isUrgent: boolean }>
export type NextStep = keyof typeof steps

const ofOpenVersion: Readonly<Record<string, NextStep>> = {
  REJECTED: 'rejected',
  PRECHECK_FAILED: 'precheck',
  PENDING_RELEASE: 'release',
  PRECHECK: 'waiting',
  IN_REVIEW: 'waiting',
}

type AppState = Pick<AppView, 'lifecycle' | 'openVersionState' | 'shelf' | 'everOnShelf' | 'developStatus'>

/** The one thing that brings an app on from where it stands. */
export function nextStepOf(app: AppState): NextStep {
  if (app.lifecycle === 'FROZEN') return 'frozen'
  if (app.openVersionState !== null) return ofOpenVersion[app.openVersionState] ?? 'finish'
  if (app.shelf) return 'live'
  if (app.everOnShelf) return 'relist'
  return app.developStatus === 'NOT_STARTED' ? 'upload' : 'prepare'
}
