import { and, eq } from 'drizzle-orm'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { asyncSettings } from '../queue/tables.ts'
import { type CronRule, type ManagerConfig, type MetricRule, type Sizing, sizingOf } from '../scaling/rules.ts'
import { managerConfigs, scalingRules } from '../scaling/tables.ts'
import { functionAliases } from '../tables.ts'
import type { Kind, SpecOf } from './rules.ts'
import { governance } from './tables.ts'

/** Tells every process that something was set of a function, or that its code or aliases changed. The payload is its id. */
export const controlsChannel = 'functioncontrols'

export const tellControls = (ctx: Context, functionId: string): void =>
  ctx.signal(ctx.zone, controlsChannel, functionId)

type Governed = { [K in Kind]?: SpecOf[K] }

/** What is in force where nothing was set. */
export const ungoverned: Governed = Object.freeze({})

/** All that is set of one function. */
export class FunctionControls {
  /** Something counts over all its calls: how many copies there are, or a breaker, or sessions that stay with a copy. */
  readonly isCountedWhole: boolean
  readonly #governed: ReadonlyMap<string, Governed>
  readonly #managers: ReadonlyMap<string, ManagerConfig>
  readonly #rules: readonly (typeof scalingRules.$inferSelect)[]
  readonly #aliases: readonly (typeof functionAliases.$inferSelect)[]
  readonly #sizings = new Map<string, Sizing>()

  constructor(found: {
    governed: ReadonlyMap<string, Governed>
    managers: ReadonlyMap<string, ManagerConfig>
    rules: readonly (typeof scalingRules.$inferSelect)[]
    aliases: readonly (typeof functionAliases.$inferSelect)[]
  }) {
    this.#governed = found.governed
    this.#managers = found.managers
    this.#rules = found.rules
    this.#aliases = found.aliases
    const governs = [...found.governed.values()].some(one => one.CIRCUITBREAKER || one.LOADBALANCER)
    this.isCountedWhole = governs || found.managers.size > 0 || found.rules.some(one => one.isEnabled)
  }

  /** What is in force for calls of a qualifier. */
  governed(qualifier: string): Governed {
    return this.#governed.get(qualifier) ?? ungoverned
  }

  /** What the copies of a version are held to. */
  sizing(version: string): Sizing {
    const known = this.#sizings.get(version)
    if (known) return known
    const leading = this.#aliases.filter(one => one.version === version || one.additional?.version === version)
    const names = new Set([version, ...leading.map(one => one.name)])
    const configs = [...names].flatMap(name => this.#managers.get(name) ?? [])
    const rules = this.#rules.filter(one => one.isEnabled && names.has(one.qualifier))
    const of = <T>(kind: 'CRON' | 'METRIC') => rules.filter(one => one.kind === kind).map(one => one.settings as T)
    const sizing = sizingOf(configs, of<CronRule>('CRON'), of<MetricRule>('METRIC'))
    this.#sizings.set(version, sizing)
    return sizing
  }

  /** Versions of which copies may have to be there without a call. */
  keptVersions(): string[] {
    const qualifiers = [
      ...[...this.#managers].filter(([, one]) => one.minInstances > 0).map(([qualifier]) => qualifier),
      ...this.#rules.filter(one => one.isEnabled).map(one => one.qualifier),
    ]
    return [...new Set(qualifiers.flatMap(qualifier => this.versionsOf(qualifier)))]
  }

  /** Where a qualifier leads. */
  versionsOf(qualifier: string): string[] {
    const alias = this.#aliases.find(one => one.name === qualifier)
    return alias ? [alias.version, ...(alias.additional ? [alias.additional.version] : [])] : [qualifier]
  }
}

const mostKnown = 5_000

/** What is set of functions, in memory: no call waits for a query. */
class Controls {
  readonly #server: Server
  /** What is loaded stands there itself, so that no call waits for a promise of it. */
  readonly #known = new Map<string, FunctionControls | Promise<FunctionControls>>()

  constructor(server: Server) {
    this.#server = server
  }

  of(zone: ZoneId, functionId: string): FunctionControls | Promise<FunctionControls> {
    const key = `${zone} ${functionId}`
    const known = this.#known.get(key)
    if (known) return known
    if (this.#known.size >= mostKnown) this.#known.delete(this.#known.keys().next().value as string)
    const loading = this.#load(zone, functionId)
    this.#known.set(key, loading)
    const isStillAsked = () => this.#known.get(key) === loading
    loading.then(
      found => isStillAsked() && this.#known.set(key, found),
      () => isStillAsked() && this.#known.delete(key),
    )
    return loading
  }

  forget(zone: ZoneId, functionId: string): void {
    if (functionId === '') this.#known.clear()
    else this.#known.delete(`${zone} ${functionId}`)
  }

  #load(zone: ZoneId, functionId: string): Promise<FunctionControls> {
    return systemContext(this.#server, zone, { name: 'functions' }).transact(ctx => loadControls(ctx, functionId))
  }
}

/** As the rows are now. */
export async function loadControls(ctx: Context, functionId: string): Promise<FunctionControls> {
  const inForce = and(eq(governance.functionId, functionId), eq(governance.isEnabled, true))
  const governed = new Map<string, Governed>()
  for (const { qualifier, kind, spec } of await ctx.db.select().from(governance).where(inForce))
    governed.set(qualifier, { ...governed.get(qualifier), [kind]: spec })
  const managers = await ctx.db.select().from(managerConfigs).where(eq(managerConfigs.functionId, functionId))
  return new FunctionControls({
    governed,
    managers: new Map(managers.map(one => [one.qualifier, one])),
    rules: await ctx.db.select().from(scalingRules).where(eq(scalingRules.functionId, functionId)),
    aliases: await ctx.db.select().from(functionAliases).where(eq(functionAliases.functionId, functionId)),
  })
}

const all = new WeakMap<Server, Controls>()

export function controlsOf(server: Server): Controls {
  let controls = all.get(server)
  if (!controls) {
    controls = new Controls(server)
    all.set(server, controls)
  }
  return controls
}

/** What was set of one qualifier that is no more. */
export async function forgetQualifier(ctx: Context, functionId: string, qualifier: string): Promise<void> {
  for (const table of [governance, managerConfigs, scalingRules, asyncSettings])
    await ctx.db.delete(table).where(and(eq(table.functionId, functionId), eq(table.qualifier, qualifier)))
  tellControls(ctx, functionId)
}
