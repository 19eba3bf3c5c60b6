import type { ApiView } from './project-calls.ts'

export const interfaceStates = ['open', 'waiting', 'closed'] as const
type InterfaceState = (typeof interfaceStates)[number]
export const interfaceTones = { open: 'good', waiting: 'waiting', closed: 'off' } as const

/** An interface that is open answers nothing while its service is off. */
export function interfaceState({ isEnabled, isWaiting }: ApiView): InterfaceState {
  if (!isEnabled) return 'closed'
  return isWaiting ? 'waiting' : 'open'
}
