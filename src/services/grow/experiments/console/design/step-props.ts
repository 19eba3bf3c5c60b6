import type { ExperimentView } from '../../contract.ts'
import type { Design } from '../../rules.ts'

/** What each step of the design is given. */
export interface StepProps {
  experiment: ExperimentView
  design: Design
  isDisabled: boolean
  onChange: (more: Partial<Design>) => void
}
