import { lifeCycle } from '../../../kernel/life-cycle.ts'

export const limits = {
  steps: 50,
  parallel: 8,
  deadlineMs: 8_000,
  longestDeadlineMs: 60_000,
  timeoutMs: 3_000,
  retries: 2,
  /** Of one answer, and of all answers of one process together. */
  answerBytes: 1_048_576,
  allBytes: 4_194_304,
  mappingDepth: 16,
  /** Values that the mappings of one step may make. */
  mappingValues: 20_000,
  /** Entries that a map may walk. */
  mapped: 1_000,
  textLength: 10_000,
  titleLength: 200,
} as const

/** Names of definitions and processes, as the specification writes them; ids of steps. */
export const processNamePattern = '^[A-Za-z][A-Za-z0-9-]{0,59}$'
export const stepIdPattern = '^[A-Za-z][A-Za-z0-9_]{0,39}$'

export const processStates = ['draft', 'active', 'retired'] as const
export type ProcessState = (typeof processStates)[number]
export const processActions = ['publish', 'retire', 'discard'] as const

/** What becomes of a version of a process. One that is published takes the place of the one before. */
export const processLifeCycle = lifeCycle({
  entity: 'process',
  states: processStates,
  moves: [
    {
      from: ['draft', 'retired'],
      action: 'publish',
      to: 'active',
      may: 'orchestration.edit',
      needs: ['isSound'],
      event: 'orchestration.process_published',
    },
    {
      from: ['active'],
      action: 'retire',
      to: 'retired',
      may: 'orchestration.edit',
      event: 'orchestration.process_retired',
    },
    {
      from: ['draft'],
      action: 'discard',
      to: null,
      may: 'orchestration.edit',
      event: 'orchestration.process_discarded',
    },
  ],
})

/** The name people and other definitions use: `app/getCompleteAppInfo`. */
export function processName(one: { definitionId: string; processId: string }): string {
  return `${one.definitionId}/${one.processId}`
}

/** Where a process is called: in development both ids stand in the payload, otherwise in the path (specification, 7 and 9). */
export function invocationOf(
  environment: string,
  process: { definitionId: string; processId: string },
  input: Readonly<Record<string, unknown>>,
): { path: string; body: Record<string, unknown> } {
  const { definitionId, processId } = process
  if (environment === 'development') return { path: '/invokeService', body: { ...input, definitionId, processId } }
  const path = `/invokeService/${encodeURIComponent(definitionId)}/${encodeURIComponent(processId)}`
  return { path, body: { ...input } }
}

const reference = /\$\.steps\.([A-Za-z][A-Za-z0-9_]*)/g

/** The steps whose answers a mapping reads. */
export function stepsRead(mapping: unknown): Set<string> {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.startsWith('$.')) for (const [, id] of value.matchAll(reference)) if (id) found.add(id)
    } else if (typeof value === 'object' && value !== null) {
      for (const one of Object.values(value)) look(one)
    }
  }
  look(mapping)
  return found
}

interface Waiting {
  id: string
  dependsOn?: readonly string[]
  when?: unknown
  input?: unknown
  cacheKey?: unknown
}

/** What a step waits for: what it says, and whatever its mappings read. */
export function dependenciesOf(step: Waiting): Set<string> {
  return new Set([...(step.dependsOn ?? []), ...stepsRead([step.when, step.input, step.cacheKey])])
}

/** The steps in rows: each stands below all that it waits for. Steps in a cycle, or behind one, are in none. */
export function levelsOf<S extends Waiting>(steps: readonly S[]): S[][] {
  const levels: S[][] = []
  const placed = new Set<string>()
  let left = [...steps]
  while (left.length > 0) {
    const row = left.filter(step => [...dependenciesOf(step)].every(id => placed.has(id)))
    if (row.length === 0) return levels
    for (const step of row) placed.add(step.id)
    left = left.filter(step => !row.includes(step))
    levels.push(row)
  }
  return levels
}
