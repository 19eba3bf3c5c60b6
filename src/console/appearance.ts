import { useSyncExternalStore } from 'react'
import { createStore } from './store.ts'

export type Appearance = 'system' | 'light' | 'dark'

const storageKey = 'loggia.appearance'
const systemDark = matchMedia('(prefers-color-scheme: dark)')
const stored = localStorage.getItem(storageKey)
const choice = createStore<Appearance>(stored === 'light' || stored === 'dark' ? stored : 'system')

function apply(): void {
  const isDark = choice.get() === 'dark' || (choice.get() === 'system' && systemDark.matches)
  document.body.classList.toggle('awsui-dark-mode', isDark)
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
}

/** Follows the system until the person chooses. */
export function startAppearance(): void {
  systemDark.addEventListener('change', apply)
  choice.subscribe(apply)
  apply()
}

export function chooseAppearance(next: Appearance): void {
  localStorage.setItem(storageKey, next)
  choice.set(next)
}

export function useAppearance(): Appearance {
  return useSyncExternalStore(choice.subscribe, choice.get)
}
