import type { ReactNode } from 'react'
import { createStore } from '../store.ts'

export interface PanelContent {
  header: string
  content: ReactNode
}

/** The panel beside or below the page: `splitPanel.set({ header, content })` opens it, `set(null)` closes it. */
export const splitPanel = createStore<PanelContent | null>(null)
