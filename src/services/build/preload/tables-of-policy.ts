import { preloadAnswers, preloadCounts, preloadPolicies, preloadRegistrations } from './tables.ts'

/** What goes with a policy, itself last. */
export const tablesOfPolicy = [preloadAnswers, preloadRegistrations, preloadCounts, preloadPolicies] as const
