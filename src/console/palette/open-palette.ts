import { createStore } from '../store.ts'

/** Whether the command palette is on screen. */
export const palette = createStore(false)
