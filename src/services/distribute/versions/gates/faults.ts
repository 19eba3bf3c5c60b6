import { badField } from '../../../../server/http/problem.ts'
import { faultOf, type Gate, type GateFault, isOfStars } from './rules.ts'

const sentences: Readonly<Record<GateFault['rule'], string>> = {
  direction: 'A rate is bad when it is high; use > or >=.',
  decimals: 'Give a limit with at most two decimals.',
  stars: 'An average is from 1 to 5 stars; give a limit there.',
  never: 'No rate is above 100 percent; give a smaller one.',
  always: 'Every rate is at least 0 percent; give a larger one, or use >.',
  twice: 'There is a gate with this metric and action already.',
  order: 'The rollback would always come before the pause; give the rollback a higher limit.',
}

const ofStars: Partial<typeof sentences> = {
  direction: 'An average rating is bad when it is low; use < or <=.',
  never: 'No average is below 1 star; give a larger limit, or use <=.',
  always: 'Every average is at most 5 stars; give a smaller limit, or use <.',
  order: 'The rollback would always come before the pause; give the rollback a lower limit.',
}

/** Refuses gates that make no sense, at the field below `pointer`. */
export function checkGates(gates: readonly Gate[], pointer: string): void {
  const fault = faultOf(gates)
  const gate = fault && gates[fault.at]
  if (!gate) return
  const sentence = (isOfStars(gate.metric) && ofStars[fault.rule]) || sentences[fault.rule]
  throw badField(`${pointer}/${fault.at}/${fault.field}`, fault.rule, sentence)
}
