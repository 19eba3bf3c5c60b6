import { client } from '../../../../console/client.ts'
import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import { apps } from '../../apps/contract.ts'
import { certsContract } from '../certs/contract.ts'
import { devicesContract } from '../devices/contract.ts'
import { profilesContract } from '../profiles/contract.ts'
import type { CertState, DeviceState, ProfileState } from '../rules.ts'

export const certsApi = client(certsContract)
export const devicesApi = client(devicesContract)
export const profilesApi = client(profilesContract)
export const appsApi = client(apps)

export const toneOfState: Readonly<Record<CertState | ProfileState | DeviceState, Tone>> = {
  VALID: 'good',
  EXPIRED: 'stopped',
  REVOKED: 'bad',
  INVALID: 'bad',
  ACTIVE: 'good',
  REMOVED: 'off',
}

/** What the tabs keep in the address; each begins anew when another is chosen. */
export const beginning = {
  q: undefined,
  type: undefined,
  state: undefined,
  app: undefined,
  page: undefined,
  cursor: undefined,
}
