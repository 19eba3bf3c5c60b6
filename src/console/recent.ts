import type { ComponentType } from 'react'
import { createStore } from './store.ts'

/** HTTP 403 with this number: the call wants a fresh proof of the person, and is sent again after it. */
export const recentNumber = 201010004

/** What the dialog answers to; null while nothing is asked. The shell shows it. */
export const recentQuestion = createStore<{ answer: (isProven: boolean) => void } | null>(null)
let asking: Promise<boolean> | undefined

/** Asks the person once, however many calls wait for it. False when they went away from the question. */
export function askRecent(): Promise<boolean> {
  asking ??= new Promise<boolean>(resolve => {
    const answer = (isProven: boolean) => {
      asking = undefined
      recentQuestion.set(null)
      resolve(isProven)
    }
    recentQuestion.set({ answer })
  })
  return asking
}

export type RecentDialog = ComponentType<{ answer: (isProven: boolean) => void }>
export type LoadRecentDialog = () => Promise<{ default: RecentDialog }>
let load: LoadRecentDialog | undefined

/** Told once by `main`, which alone reads the list of services. */
export function connectRecent(given: LoadRecentDialog): void {
  load = given
}

export function loadRecentDialog(): Promise<{ default: RecentDialog }> {
  if (!load) throw new Error('no dialog for recent proofs is connected')
  return load()
}
