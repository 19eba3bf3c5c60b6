import {
  faultOf,
  type Gate,
  type GateFault,
  type GateMetric,
  gateLimits,
  gateMetrics,
  isOfStars,
  opsOf,
} from '../../gates/rules.ts'

/** A gate while somebody writes it. */
export interface GateDraft {
  /** Tells rows apart while they are edited. */
  key: number
  metric: GateMetric
  op: Gate['op']
  value: string
  minUsers: string
  action: Gate['action']
}

let made = 0

export function draftsOf(gates: readonly Gate[]): GateDraft[] {
  return gates.map(({ value, minUsers, ...gate }) => ({
    ...gate,
    key: ++made,
    value: String(value),
    minUsers: String(minUsers),
  }))
}

/** What a metric begins with. */
const startOf = (metric: GateMetric) =>
  isOfStars(metric) ? { metric, op: '<' as const, value: '3' } : { metric, op: '>' as const, value: '2' }

/** A draft of another metric; its limit goes where that counts in something else. */
export function ofMetric(draft: GateDraft, metric: GateMetric): GateDraft {
  return { ...draft, ...(opsOf(metric).includes(draft.op) ? { metric } : startOf(metric)) }
}

/** The next one to add: a metric that is not watched yet. */
export function nextDraft(drafts: readonly GateDraft[]): GateDraft {
  const metric = gateMetrics.find(one => drafts.every(draft => draft.metric !== one)) ?? 'crashRate'
  const isTaken = drafts.some(one => one.metric === metric && one.action === 'PAUSE')
  return { key: ++made, ...startOf(metric), minUsers: '100', action: isTaken ? 'ROLLBACK' : 'PAUSE' }
}

export type DraftFault = Omit<GateFault, 'field' | 'rule'> & {
  field: GateFault['field'] | 'minUsers'
  rule: GateFault['rule'] | 'number' | 'minUsers'
}

const number = (text: string) => Number(text.trim().replace(',', '.'))

/** The gates that were written, or what is wrong with the first that is. */
export function gatesOf(drafts: readonly GateDraft[]): { gates: Gate[]; fault: DraftFault | null } {
  const gates = drafts.map(({ metric, op, value, minUsers, action }) => ({
    metric,
    op,
    value: number(value),
    minUsers: number(minUsers),
    action,
  }))
  for (const [at, { value, minUsers }] of gates.entries()) {
    const isWritten = drafts[at]?.value.trim() !== '' && value >= 0 && value <= 100
    if (!isWritten) return { gates, fault: { at, field: 'value', rule: 'number' } }
    const isEnough = minUsers >= gateLimits.minUsersLeast && minUsers <= gateLimits.minUsersMost
    if (!Number.isInteger(minUsers) || !isEnough) return { gates, fault: { at, field: 'minUsers', rule: 'minUsers' } }
  }
  return { gates, fault: faultOf(gates) }
}
