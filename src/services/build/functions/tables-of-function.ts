import { governance } from './governance/tables.ts'
import { groupMembers } from './groups/tables.ts'
import { asyncAttempts, asyncCalls, asyncSettings } from './queue/tables.ts'
import { managerConfigs, scalingRules } from './scaling/tables.ts'
import { callsAlike, functionAliases, functions, functionVersions, invocations, testEvents } from './tables.ts'
import { triggers } from './triggers/tables.ts'

/** What goes with a function, itself last. */
export const tablesOfFunction = [
  triggers,
  asyncCalls,
  asyncAttempts,
  asyncSettings,
  governance,
  managerConfigs,
  scalingRules,
  groupMembers,
  functionAliases,
  functionVersions,
  testEvents,
  invocations,
  callsAlike,
  functions,
] as const
