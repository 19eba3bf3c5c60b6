import { eq } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import type { Definition } from './contract.ts'
import { processName } from './rules.ts'
import { processVersions as versions } from './tables.home.ts'

/** Told in the home database when a version is published or retired. */
export const processChannel = 'orchestration_process'

type Active = ReadonlyMap<string, Definition>
const kept = new WeakMap<Server, Promise<Active>>()

/** The active definitions by name, in memory until one changes. */
export function activeProcesses(ctx: Context): Promise<Active> {
  const known = kept.get(ctx.server)
  if (known) return known
  const loading = load(ctx)
  kept.set(ctx.server, loading)
  loading.catch(() => kept.delete(ctx.server))
  return loading
}

export function forgetProcesses(server: Server): void {
  kept.delete(server)
}

async function load(ctx: Context): Promise<Active> {
  const rows = await ctx.transact(inner =>
    inner.home.select({ body: versions.body }).from(versions).where(eq(versions.state, 'active')),
  )
  return new Map(
    rows.map(({ body }) => {
      const definition = body as unknown as Definition
      return [processName(definition), definition]
    }),
  )
}

/** A process with what it takes over from the one it refers to. */
export function effectiveOf(definition: Definition, active: Active): Definition | undefined {
  if (definition.sameAs === undefined) return definition
  const same = active.get(definition.sameAs)
  if (!same || same.sameAs !== undefined) return undefined
  const { title, definitionId, processId } = definition
  return { ...same, definitionId, processId, title }
}
