import { badField } from '../../../../server/http/problem.ts'
import { faultOf, type Gate, type GateFault } from './rules.ts'

const sentences: Readonly<Record<GateFault['rule'], string>> = {
  noRatings: 'People cannot rate apps in this store yet, so ratingAvg cannot be watched; choose another metric.',
  direction: 'A rate is bad when it is high; use > or >=.',
  decimals: 'Give percent with at most two decimals.',
  never: 'No rate is above 100 percent; give a smaller one.',
  always: 'Every rate is at least 0 percent; give a larger one, or use >.',
  twice: 'There is a gate with this metric and action already.',
  order: 'The rollback would always come before the pause; give the rollback a higher limit.',
}

/** Refuses gates that make no sense, at the field below `pointer`. */
export function checkGates(gates: readonly Gate[], pointer: string): void {
  const fault = faultOf(gates)
  if (fault) throw badField(`${pointer}/${fault.at}/${fault.field}`, fault.rule, sentences[fault.rule])
}
