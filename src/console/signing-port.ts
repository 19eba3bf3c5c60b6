import type { ComponentType, ReactNode } from 'react'
import { createStore } from './store.ts'

/** HTTP 403 with this number: a write waits for agreements that are not signed. */
export const mustSignNumber = 204121001

/** Grows with every write that was refused for want of a signature; who asks people to sign looks anew then. */
export const signingRefusals = createStore(0)

export function noteRefusal(): void {
  signingRefusals.set(signingRefusals.get() + 1)
}

interface SigningProps {
  /** Put around a dialog where the page itself has no components; it comes with the dialog. */
  Frame?: ComponentType<{ children: ReactNode }>
}

export type LoadSigning = () => Promise<{ default: ComponentType<SigningProps> }>
let load: LoadSigning | undefined

/** Told once by `main`: what asks a person who has signed in for the signatures that are wanted. */
export function connectSigning(given: LoadSigning): void {
  load = given
}

export function loadSigning(): ReturnType<LoadSigning> {
  return load ? load() : Promise.resolve({ default: () => null })
}
