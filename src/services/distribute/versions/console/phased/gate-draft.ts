import {
  faultOf,
  type Gate,
  type GateFault,
  gateLimits,
  type WatchedMetric,
  watchedMetrics,
} from '../../gates/rules.ts'

/** A gate while somebody writes it. */
export interface GateDraft {
  /** Tells rows apart while they are edited. */
  key: number
  metric: WatchedMetric
  op: '>' | '>='
  value: string
  minUsers: string
  action: Gate['action']
}

let made = 0

export function draftsOf(gates: readonly Gate[]): GateDraft[] {
  return gates.flatMap(({ metric, op, value, minUsers, action }) =>
    metric === 'ratingAvg'
      ? []
      : [{ key: ++made, metric, op: op === '>=' ? op : '>', value: String(value), minUsers: String(minUsers), action }],
  )
}

/** The next one to add: a rate that is not watched yet. */
export function nextDraft(drafts: readonly GateDraft[]): GateDraft {
  const metric = watchedMetrics.find(one => drafts.every(draft => draft.metric !== one)) ?? 'crashRate'
  const isTaken = drafts.some(one => one.metric === metric && one.action === 'PAUSE')
  return { key: ++made, metric, op: '>', value: '2', minUsers: '100', action: isTaken ? 'ROLLBACK' : 'PAUSE' }
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
