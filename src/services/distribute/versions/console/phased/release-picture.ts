import { addedCounts, type HealthCounts, noHealth } from '../../gates/rules.ts'
import { curve, shareOfDay } from '../../phased/rules.ts'
import type { FieldView, HealthView, PhasedChangeView, PhasedView } from '../version-calls.ts'

const dayMs = 86_400_000
/** As many as the store tells of. */
const mostDays = 90

/** The UTC day of an instant: `2026-11-21`. */
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
const endOfDay = (day: string) => Date.parse(`${day}T00:00:00Z`) + dayMs

export interface SharePicture {
  days: string[]
  /** Percent by day; a day without a number is not known, or not there yet. */
  planned: (number | null)[]
  offered: (number | null)[]
  reached: (number | null)[]
}

/** The share a release was to reach, was offered to and has reached by the end of each day. */
export function shareByDay(
  phased: PhasedView,
  changes: readonly PhasedChangeView[],
  field: FieldView | undefined,
  now: number,
): SharePicture {
  const { startAt, endedAt, kind, versionId } = phased
  if (startAt === null) return { days: [], planned: [], offered: [], reached: [] }
  const last = endedAt ?? now
  const until = kind === 'CURVE7' && endedAt === null ? Math.max(last, startAt + (curve.length - 1) * dayMs) : last
  const first = Math.max(startAt, last - (mostDays - 1) * dayMs)
  const days: string[] = []
  for (let at = Date.parse(`${dayOf(first)}T00:00:00Z`); at <= until; at += dayMs) days.push(dayOf(at))
  const place = field?.list.findIndex(one => one.versionId === versionId) ?? -1
  const byDay = new Map(field?.days.map(one => [one.day, one]))
  const isAhead = (day: string) => day > dayOf(last)
  return {
    days,
    planned: days.map(day =>
      kind === 'CURVE7' ? shareOfDay(Math.ceil((endOfDay(day) - startAt) / dayMs)) / 100 : null,
    ),
    offered: days.map(day => {
      if (isAhead(day)) return null
      const change = changes.find(one => one.at < endOfDay(day) && one.action !== 'setGates')
      return change ? Number(change.percent) : null
    }),
    reached: days.map(day => {
      const found = isAhead(day) ? undefined : byDay.get(day)
      const all = found ? found.active.reduce((sum, one) => sum + one, found.other) : 0
      return found && all > 0 ? ((found.active[place] ?? 0) * 100) / all : null
    }),
  }
}

export interface Span {
  from: number
  to: number
  isPaused: boolean
  percent: string
}

/** When it ran, at which share, and when it stood still. `changes` are the newest first. */
export function spansOf(phased: PhasedView, changes: readonly PhasedChangeView[], now: number): Span[] {
  const steps = changes.filter(one => one.state === 'RELEASE' || one.state === 'SUSPEND').toReversed()
  const end = phased.endedAt ?? now
  return steps.flatMap(({ at, state, percent }, index) => {
    const before = steps[index - 1]
    if (before && before.state === state && before.percent === percent) return []
    const next = steps.slice(index + 1).find(one => one.state !== state || one.percent !== percent)
    return [{ from: at, to: next?.at ?? end, isPaused: state === 'SUSPEND', percent }]
  })
}

/** What devices had told by each step, all before it included. */
export function healthByStep(health: HealthView): { at: number; own: HealthCounts; base: HealthCounts }[] {
  const steps: { at: number; own: HealthCounts; base: HealthCounts }[] = []
  for (const step of health.steps) {
    const { own, base } = steps.at(-1) ?? { own: noHealth, base: noHealth }
    steps.push({ at: step.at, own: addedCounts(own, step.own), base: addedCounts(base, step.base) })
  }
  return steps
}
