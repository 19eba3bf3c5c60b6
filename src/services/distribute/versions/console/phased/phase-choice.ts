import {
  basisPointsOf,
  type NewInstalls,
  type PhasedKind,
  percentPattern,
  phasedLimits,
  type Sampling,
} from '../../phased/rules.ts'
import type { PhasedView } from '../version-calls.ts'

export interface PhaseChoice {
  way: 'WHOLE' | PhasedKind
  percent: string
  sampling: Sampling
  newInstalls: NewInstalls
  description: string
  /** Chosen by call only; kept as they are. */
  countries: string[]
}

export const wholeRelease: PhaseChoice = {
  way: 'WHOLE',
  percent: '5.00',
  sampling: 'STICKY',
  newInstalls: 'FOLLOW',
  description: '',
  countries: [],
}

/** As it was planned with a submit before. */
export function choiceOf(planned: PhasedView): PhaseChoice {
  const { kind, percent, sampling, newInstalls, description, countries } = planned
  return { way: kind, percent, sampling, newInstalls, description, countries }
}

export function isChoiceRight({ way, percent, description }: PhaseChoice): boolean {
  if (way === 'WHOLE') return true
  if ([...description].length > phasedLimits.descriptionLength) return false
  if (way === 'CURVE7') return true
  const isWritten = new RegExp(percentPattern).test(percent)
  return isWritten && basisPointsOf(percent) > 0 && basisPointsOf(percent) < 10_000
}

/** The fields of the submit that say it. */
export function phaseFields({ way, percent, sampling, newInstalls, description, countries }: PhaseChoice) {
  if (way === 'WHOLE') return { releasePhase: 0 as const }
  return {
    releasePhase: 3 as const,
    phasedDescription: description,
    phased: { kind: way, sampling, newInstalls, countries, ...(way === 'PERCENT' && { percent }) },
  }
}
