import { and, eq } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { functionErrors } from './contract.ts'
import { controlsChannel } from './governance/controls.ts'
import type { Runnable } from './pool/runtime.ts'
import { type FunctionRow, runnableOf, type VersionRow } from './queries.ts'
import { aliasPattern, latest, namePattern, versionOf } from './rules.ts'
import { functionAliases, functions, functionVersions } from './tables.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** A function as calls need it: it, its published versions and its aliases, as the rows were when they were read. */
export interface Known {
  row: FunctionRow
  versions: ReadonlyMap<string, VersionRow>
  aliases: ReadonlyMap<string, typeof functionAliases.$inferSelect>
  /** By version, with opened secrets. */
  runnables: Map<string, Runnable>
}

/** What the name of a call leads to. */
interface Named {
  known: Known
  qualifier: string
}

/** What a name meant when it was looked up. */
interface Meant {
  functionId: string
  qualifier: string
  /** Of what is known. */
  key: string
}

const mostKnown = 5_000
const aliasLike = new RegExp(`^(.{2,63}?)-(\\$latest|[1-9][0-9]{0,8}|${aliasPattern.slice(1, -1)})$`)
const nameLike = new RegExp(namePattern)

/** `resize-pictures-live`: hyphens may be in the name, so every place to cut is a guess that the name must confirm. */
function cuts(target: string): { name: string; qualifier: string }[] {
  if (!aliasLike.test(target)) return []
  const found: { name: string; qualifier: string }[] = []
  for (let at = target.lastIndexOf('-'); at > 0; at = target.lastIndexOf('-', at - 1)) {
    const name = target.slice(0, at)
    if (nameLike.test(name)) found.push({ name, qualifier: target.slice(at + 1) })
  }
  return found
}

/** What calls lead to, in memory: none waits for a query. A change is in force on every process within a second. */
class Targets {
  readonly #server: Server
  /** By project and target. */
  readonly #named = new Map<string, Map<string, Meant>>()
  #namedCount = 0
  /** By zone and id. What is loaded stands there itself, so that no call waits for a promise of it. */
  readonly #known = new Map<string, Known | Promise<Known | null>>()

  constructor(server: Server) {
    this.#server = server
  }

  /** Call before the signals start. */
  listen(): void {
    for (const zone of this.#server.config.zones)
      for (const channel of [controlsChannel, 'functions'])
        this.#server.signals.on(zone, channel, functionId => {
          if (functionId === '') this.#known.clear()
          else this.#known.delete(keyOf(zone, functionId))
        })
  }

  /** The function that `name-qualifier` names in a project. Refuses 404, and 503 of one that is off. */
  named(zone: ZoneId, projectId: string, target: string): Named | Promise<Named> {
    const remembered = this.#named.get(projectId)?.get(target)
    const known = remembered && this.#known.get(remembered.key)
    if (!known || known instanceof Promise) return this.#find(zone, projectId, target, remembered)
    return { known: enabled(known), qualifier: remembered.qualifier }
  }

  /**
   * The version that one call of a function goes to: of `$latest`, a number or an alias. Refuses 404, and 503 of a
   * function that is off.
   */
  async runnable(zone: ZoneId, functionId: string, qualifier: string, headers: Headers): Promise<Runnable> {
    const known = (await this.known(zone, functionId)) ?? refuse(functionErrors.noFunction, { name: functionId })
    return this.pick(zone, enabled(known), qualifier, headers)
  }

  /** As `runnable`, of a function that is known and on. */
  pick(zone: ZoneId, known: Known, qualifier: string, headers: Headers): Runnable {
    const alias = known.aliases.get(qualifier)
    const version = alias ? versionOf(alias, headers, Math.random()) : qualifier === 'latest' ? latest : qualifier
    return this.version(zone, known, version) ?? refuse(functionErrors.noVersion, { qualifier })
  }

  /** `$latest` or a number; undefined where there is no such version. */
  version(zone: ZoneId, known: Known, version: string): Runnable | undefined {
    const ready = known.runnables.get(version)
    if (ready) return ready
    const as = version === latest ? known.row : known.versions.get(version)
    if (!as) return undefined
    const runnable = runnableOf(systemContext(this.#server, zone, { name: 'functions' }), known.row, version, as)
    known.runnables.set(version, runnable)
    return runnable
  }

  /** Null where there is no such function. */
  known(zone: ZoneId, functionId: string): Known | Promise<Known | null> {
    const key = keyOf(zone, functionId)
    const known = this.#known.get(key)
    if (known) return known
    if (this.#known.size >= mostKnown) this.#known.delete(this.#known.keys().next().value as string)
    const loading = this.#inZone(zone, ctx => load(ctx, functionId))
    this.#known.set(key, loading)
    // What failed is asked again, and what is not there takes no place.
    const become = (found: Known | null) => {
      if (this.#known.get(key) !== loading) return
      if (found) this.#known.set(key, found)
      else this.#known.delete(key)
    }
    loading.then(become, () => become(null))
    return loading
  }

  /** What a remembered name meant is loaded once for all who call meanwhile; only where it is no more, the name is looked up. */
  async #find(zone: ZoneId, projectId: string, target: string, remembered?: Meant): Promise<Named> {
    const still = remembered && (await this.known(zone, remembered.functionId))
    if (still) return { known: enabled(still), qualifier: remembered.qualifier }
    const found = await this.#look(zone, projectId, target)
    const known = found && (await this.known(zone, found.functionId))
    if (!known) return refuse(functionErrors.noFunction, { name: target })
    this.#remember(projectId, target, { ...found, key: keyOf(zone, found.functionId) })
    return { known: enabled(known), qualifier: found.qualifier }
  }

  #remember(projectId: string, target: string, one: Meant): void {
    if (this.#namedCount >= mostKnown) {
      this.#named.clear()
      this.#namedCount = 0
    }
    const targets = this.#named.get(projectId) ?? new Map<string, Meant>()
    if (!targets.has(target)) this.#namedCount++
    this.#named.set(projectId, targets.set(target, one))
  }

  async #look(zone: ZoneId, projectId: string, target: string) {
    return this.#inZone(zone, async ctx => {
      for (const { name, qualifier } of cuts(target)) {
        const [row] = await ctx.db
          .select({ functionId: functions.functionId })
          .from(functions)
          .where(and(eq(functions.projectId, projectId), eq(functions.functionName, name)))
        if (row) return { functionId: row.functionId, qualifier }
      }
      return null
    })
  }

  #inZone<T>(zone: ZoneId, work: (ctx: Context) => Promise<T>): Promise<T> {
    return systemContext(this.#server, zone, { name: 'functions', scope: 'all' }).transact(work)
  }
}

const keyOf = (zone: ZoneId, functionId: string) => `${zone} ${functionId}`

const enabled = (known: Known): Known => (known.row.isEnabled ? known : refuse(functionErrors.disabled))

async function load(ctx: Context, functionId: string): Promise<Known | null> {
  const [[row], versions, aliases] = await Promise.all([
    ctx.db.select().from(functions).where(eq(functions.functionId, functionId)),
    ctx.db.select().from(functionVersions).where(eq(functionVersions.functionId, functionId)),
    ctx.db.select().from(functionAliases).where(eq(functionAliases.functionId, functionId)),
  ])
  if (!row) return null
  return {
    row,
    versions: new Map(versions.map(one => [String(one.version), one])),
    aliases: new Map(aliases.map(one => [one.name, one])),
    runnables: new Map(),
  }
}

const all = new WeakMap<Server, Targets>()

export function targetsOf(server: Server): Targets {
  let targets = all.get(server)
  if (!targets) {
    targets = new Targets(server)
    all.set(server, targets)
  }
  return targets
}
