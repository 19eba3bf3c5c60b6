import {
  basisPointsOf,
  type NewInstalls,
  type PhasedKind,
  percentPattern,
  phasedLimits,
  type Sampling,
} from '../../phased/rules.ts'
import type { PhasedView } from '../version-calls.ts'
import { draftsOf, type GateDraft, gatesOf } from './gate-draft.ts'

export interface PhaseChoice {
  way: 'WHOLE' | PhasedKind
  percent: string
  sampling: Sampling
  newInstalls: NewInstalls
  description: string
  gates: GateDraft[]
  manualPull: boolean
  /** None: wherever it is offered. */
  countries: string[]
  endAt: number | null
}

export const wholeRelease: PhaseChoice = {
  way: 'WHOLE',
  percent: '5.00',
  sampling: 'STICKY',
  newInstalls: 'FOLLOW',
  description: '',
  gates: [],
  manualPull: false,
  countries: [],
  endAt: null,
}

/** As it was planned with a submit before. */
export function choiceOf(planned: PhasedView): PhaseChoice {
  const { kind, gates, ...rest } = planned
  const { percent, sampling, newInstalls, description, countries, manualPull, endAt } = rest
  return {
    way: kind,
    gates: draftsOf(gates),
    ...{ percent, sampling, newInstalls, description, countries, manualPull, endAt },
  }
}

export function isChoiceRight({ way, percent, description, gates, endAt }: PhaseChoice): boolean {
  if (way === 'WHOLE') return true
  if ([...description].length > phasedLimits.descriptionLength) return false
  if (gatesOf(gates).fault) return false
  if (way === 'CURVE7') return true
  const ahead = endAt === null ? 1 : endAt - Date.now()
  if (ahead <= 0 || ahead > phasedLimits.endLatestMs) return false
  const isWritten = new RegExp(percentPattern).test(percent)
  return isWritten && basisPointsOf(percent) > 0 && basisPointsOf(percent) < 10_000
}

/** The fields of the submit that say it. */
export function phaseFields(choice: PhaseChoice) {
  const { way, percent, sampling, newInstalls, description, countries, manualPull, endAt } = choice
  if (way === 'WHOLE') return { releasePhase: 0 as const }
  return {
    releasePhase: 3 as const,
    phasedDescription: description,
    phased: {
      ...{ kind: way, sampling, newInstalls, countries, manualPull },
      gates: gatesOf(choice.gates).gates,
      ...(way === 'PERCENT' && { percent, ...(endAt !== null && { endAt }) }),
    },
  }
}
