import type { TFunction } from 'i18next'
import type { TimelineStep } from '../../../../console/kit/Timeline.tsx'
import { isEditable, isLocked, type VersionState } from '../rules.ts'
import type { TimelineEntry, VersionView } from './version-calls.ts'
import { toneOf } from './version-words.ts'

/** What happened to a version, the oldest first. */
export function pastSteps(t: TFunction, timeline: readonly TimelineEntry[]): TimelineStep[] {
  return timeline.toReversed().map((entry, index) => ({
    id: `${entry.at}-${index}`,
    title: t(`timeline.${entry.action}`),
    tone: entry.action === 'ask' ? 'caution' : entry.to ? toneOf[entry.to as VersionState] : 'info',
    at: entry.at,
    ...(entry.actor.kind !== 'system' && { actor: entry.actor.name ?? t('timeline.byStore') }),
    ...reasonOf(entry),
  }))
}

function reasonOf(entry: TimelineEntry): { note?: string } {
  const { reason, notice } = entry.note as { reason?: unknown; notice?: unknown }
  const said = typeof reason === 'string' ? reason : notice
  return typeof said === 'string' && said ? { note: said } : {}
}

/** The states still to come on the straight way to the shelf. */
export function stepsAhead(t: TFunction, version: Pick<VersionView, 'state' | 'releaseMode'>): TimelineStep[] {
  const { state, releaseMode } = version
  if (!isEditable(state) && !isLocked(state)) return []
  const way: VersionState[] = ['PRECHECK', 'IN_REVIEW', ...waits(releaseMode), 'ON_SHELF']
  return way
    .slice(way.indexOf(state) + 1)
    .map(one => ({ id: one, title: t(`state.${one}`), tone: 'off', at: null, isAhead: true }))
}

const waits = (releaseMode: string): VersionState[] => (releaseMode === 'AUTO' ? [] : ['PENDING_RELEASE'])

/** The picture: what led to this state, then what comes. Older steps stand in the full list below it. */
export function pictureOf(t: TFunction, timeline: readonly TimelineEntry[], version: VersionView): TimelineStep[] {
  const past = pastSteps(t, timeline).map(({ note: _note, ...step }) => step)
  return [...past.slice(-picturedSteps), ...stepsAhead(t, version)]
}

export const picturedSteps = 5
