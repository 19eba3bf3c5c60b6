import { desc } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { activeProcesses, effectiveOf } from '../active-processes.ts'
import type { Definition } from '../contract.ts'
import { type ProcessState, processName } from '../rules.ts'
import { processVersions as versions } from '../tables.home.ts'

interface Paged {
  cursor?: string
  pageSize?: number
  search?: string
}

/** Of each process the version that counts: the active one, else the newest. */
export async function processesOf(ctx: Context, query: Paged & { state?: ProcessState }) {
  const active = await activeProcesses(ctx)
  const rows = await ctx.home.select().from(versions).orderBy(desc(versions.version)).limit(5_000)
  const shown = new Map<string, (typeof rows)[number]>()
  for (const row of rows) {
    const known = shown.get(processName(row))
    if (!known || (row.state === 'active' && known.state !== 'active')) shown.set(processName(row), row)
  }
  const drafts = new Set(rows.filter(row => row.state === 'draft').map(processName))
  const usedBy = (name: string) => [...active].filter(([, one]) => one.sameAs === name).map(([other]) => other)
  const all = [...shown]
    .map(([name, row]) => {
      const definition = row.body as unknown as Definition
      const effective = effectiveOf(definition, active) ?? definition
      return {
        name,
        definitionId: row.definitionId,
        processId: row.processId,
        title: definition.title,
        state: row.state,
        version: row.version,
        hasDraft: drafts.has(name),
        sameAs: definition.sameAs ?? null,
        usedBy: usedBy(name),
        steps: effective.steps?.length ?? 0,
        writes: effective.writes ?? false,
        updatedAt: row.updatedAt,
      }
    })
    .filter(one => `${one.name} ${one.title}`.toLowerCase().includes((query.search ?? '').toLowerCase()))
    .filter(one => query.state === undefined || one.state === query.state)
  return paged(all, query, one => one.name)
}

export function callsOf(ctx: Context, query: Paged) {
  const search = query.search?.toLowerCase() ?? ''
  const all = ctx.server.inside
    .list()
    .filter(({ call }) => (call.kind ?? 'json') === 'json')
    .map(({ contract, name, call }) => ({
      service: contract.name,
      name,
      method: call.method,
      path: contract.prefix + call.path,
      who: call.who,
      may: call.may,
      summary: call.summary,
    }))
    .filter(one => `${one.service} ${one.name} ${one.method} ${one.path}`.toLowerCase().includes(search))
  return paged(all, query, one => `${one.path} ${one.method}`)
}

/** What is in memory as pages, by a key that is unique. */
function paged<T>(all: readonly T[], query: Paged, keyOf: (one: T) => string) {
  const sorted = all.map(one => ({ one, key: keyOf(one) })).sort((a, b) => (a.key < b.key ? -1 : 1))
  const rest = sorted.filter(({ key }) => key > (query.cursor ?? ''))
  const page = rest.slice(0, query.pageSize ?? 20)
  return {
    total: all.length,
    list: page.map(({ one }) => one),
    nextCursor: rest.length > page.length ? (page.at(-1)?.key ?? null) : null,
  }
}
