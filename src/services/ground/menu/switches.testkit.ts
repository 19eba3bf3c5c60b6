import type { ZoneId } from '../../../kernel/zones.ts'
import type { Person } from '../../../testkit/stage.ts'
import { menuOperations } from './operations/contract.ts'

interface Wanted {
  isOn: boolean
  percent?: number
  zones?: ZoneId[]
  groups?: string[]
}

/** Sets a switch as the operator's page does, for everybody unless said; answers whatever is answered. */
export async function flip(operator: Person, feature: string, wanted: Wanted) {
  const { list } = await operator.ok(menuOperations, 'listSwitches', { query: { search: feature, pageSize: 100 } })
  const revision = list.find(one => one.feature === feature)?.revision ?? 0
  const body = { feature, percent: 100, zones: [], groups: [], note: '', ...wanted, revision }
  return operator.call(menuOperations, 'setSwitch', { body })
}
