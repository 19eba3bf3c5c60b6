import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { AppOrServer } from '../../../build/app-auth/public.ts'
import { type Kind, kinds } from '../rules.ts'

/** Which template somebody asks for: apps have theirs, servers either. Refuses 403. */
export function kindOf(caller: AppOrServer, wanted: unknown): Kind {
  const kind = kinds.find(one => one === wanted) ?? (caller.isServer ? 'server' : 'client')
  if (kind === 'server' && !caller.isServer) refuse(commonErrors.notAllowed, { permission: 'appAuth.server' })
  return kind
}
