import { client } from '../../../../console/client.ts'
import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import type { Answer } from '../../../../kernel/contract.ts'
import { files } from '../../../ground/files/contract.ts'
import { apps } from '../../apps/contract.ts'
import { immersive } from '../immersive/contract.ts'
import { immersiveDesk } from '../immersive/desk/contract.ts'
import type { ImmersiveState } from '../immersive/rules.ts'

export const api = client(immersive)
export const deskCalls = client(immersiveDesk)
export const appCalls = client(apps)
export const fileCalls = client(files)

export type Picture = Answer<(typeof immersive.calls)['getImmersive']>

export const tones: Readonly<Record<ImmersiveState, Tone>> = {
  DRAFT: 'off',
  AUDITING: 'running',
  APPROVED: 'good',
  REJECTED: 'bad',
}
