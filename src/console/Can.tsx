import type { ReactNode } from 'react'
import type { CallSpec } from '../kernel/contract.ts'
import { may, useSession } from './session.ts'

interface CanProps {
  may?: string
  /** A call of a client; its permission is read from the contract. */
  call?: { spec: CallSpec }
  children: ReactNode
  otherwise?: ReactNode
}

/** Shows its children to those who hold the permission, named or read from a call. */
export function Can({ may: permission, call, children, otherwise = null }: CanProps) {
  useSession()
  const needed = permission ?? call?.spec.may ?? 'none'
  return may(needed) ? children : otherwise
}
