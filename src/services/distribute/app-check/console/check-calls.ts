import { client } from '../../../../console/client.ts'
import type { Tone } from '../../../../console/kit/StatusBadge.tsx'
import type { Answer } from '../../../../kernel/contract.ts'
import { apps } from '../../apps/contract.ts'
import { packages } from '../../packages/contract.ts'
import { appChecks } from '../contract.ts'
import { testTasks } from '../detection/contract.ts'
import type { CheckState, Result } from '../rules.ts'

export const api = client(appChecks)
export const configApi = client(testTasks)
export const appCalls = client(apps)
export const packageCalls = client(packages)

type Calls = typeof appChecks.calls
export type CheckView = Answer<Calls['getCheck']>

export const toneOfCheck: Record<CheckState, Tone> = {
  WAITING: 'waiting',
  RUNNING: 'running',
  PASSED: 'good',
  FAILED: 'bad',
  EXPIRED: 'stopped',
}

export const toneOfResult: Record<Result, Tone> = {
  BLOCK: 'bad',
  WARN: 'caution',
  INFO: 'info',
  PASS: 'good',
  NOT_RUN: 'off',
}
