import { client } from '../../../../console/client.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import type { Definition, Step } from '../contract.ts'
import { processDesk } from '../desk/contract.ts'

export const desk = client(processDesk)

export type { Definition, Step }
export type ProcessView = Answer<typeof processDesk.calls.getProcess>
export type VersionView = ProcessView['versions'][number]
export type Problem = Answer<typeof processDesk.calls.checkDefinition>['problems'][number]
export type DryRunView = Answer<typeof processDesk.calls.dryRun>

export const stateTones = { draft: 'waiting', active: 'good', retired: 'off' } as const

/** `distribute/apps getApp`, `distribute/material GET /mts/material-test/list`, or the name of an API. */
export function callText(step: Step): string {
  if (!step.call) return step.apiName ?? ''
  return 'name' in step.call
    ? `${step.call.service} ${step.call.name}`
    : `${step.call.service} ${step.call.method} ${step.call.path}`
}

/** The other way round; undefined where it says neither. */
export function callOf(text: string): Pick<Step, 'call' | 'apiName'> | undefined {
  const [service = '', name = '', path] = text.trim().split(/\s+/)
  if (path !== undefined) return { call: { service, method: name as 'GET', path } }
  if (name !== '') return { call: { service, name } }
  return service === '' ? undefined : { apiName: service }
}

export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? ''
}

/** The JSON a person wrote, or undefined while it is none. */
export function parsed<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T
  } catch {
    return undefined
  }
}
