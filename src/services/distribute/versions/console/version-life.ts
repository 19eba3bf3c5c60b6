import type { TFunction } from 'i18next'
import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import type { TimelineStep } from '../../../../console/kit/Timeline.tsx'
import { isEditable, isLocked, type VersionState } from '../life/rules.ts'
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
export function stepsAhead(
  t: TFunction,
  version: Pick<VersionView, 'state' | 'releaseMode' | 'heldBy'>,
): TimelineStep[] {
  const { state } = version
  if (!isEditable(state) && !isLocked(state)) return []
  const way: VersionState[] = ['PRECHECK', 'IN_REVIEW', ...(isWaiting(version) ? waiting : []), 'ON_SHELF']
  return way
    .slice(way.indexOf(state) + 1)
    .map(one => ({ id: one, title: t(`state.${one}`), tone: 'off', at: null, isAhead: true }))
}

const waiting: VersionState[] = ['PENDING_RELEASE']
/** For a hand, a time, the others it goes out with, or the end of a freeze. */
const isWaiting = ({ state, releaseMode, heldBy }: Pick<VersionView, 'state' | 'releaseMode' | 'heldBy'>) =>
  state === 'PENDING_RELEASE' || releaseMode !== 'AUTO' || heldBy !== null

const steadyTones: ReadonlySet<Tone> = new Set<Tone>(['bad', 'caution', 'stopped'])
const picturedSteps = 6

/** The picture: what led here, the state it is in, what comes. Older steps stand in the full list below it. */
export function pictureOf(t: TFunction, timeline: readonly TimelineEntry[], version: VersionView): TimelineStep[] {
  const ahead = stepsAhead(t, version)
  const past = pastSteps(t, timeline).slice(-Math.max(2, picturedSteps - ahead.length))
  const led = past
    .slice(0, -1)
    .map(step => ({ ...step, tone: steadyTones.has(step.tone) ? step.tone : ('good' as const) }))
  const now = past.slice(-1).map(step => ({ ...step, title: t(`state.${version.state}`), tone: toneOf[version.state] }))
  return [...led, ...now, ...ahead].map(({ note: _note, ...step }) => step)
}
