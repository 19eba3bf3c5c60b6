import { createStore } from './store.ts'

/** HTTP 400 with this number opens the risk dialog and nothing else (specification, section 8). */
export const riskNumber = 205524998

/** The server's sentence for the risk dialog, or null. The shell shows it. */
export const risk = createStore<string | null>(null)
