import type { ZoneId } from '../../../kernel/zones.ts'
import { inTransaction } from '../../../server/database/transaction.ts'
import type { Server } from '../../../server/server.ts'
import { compileSource } from './compile.ts'
import type { RuleData, RuledService } from './engine-types.ts'
import { Recorder } from './recorder.ts'
import type { Ruleset } from './ruleset.ts'

/** What a process remembers of rules. */
export interface RulesMemory {
  data: Map<'clouddb' | 'storage', RuleData>
  /** By zone, project and service. */
  rulesets: Map<string, Promise<Ruleset | null>>
  recorder: Recorder
}

const memories = new WeakMap<Server, RulesMemory>()
const mostRulesets = 5_000

export const rulesChannel = 'rules'
/** Counted and kept decisions. */
export const gatheredDecisions = 'rules.decisions'

export function memoryOf(server: Server): RulesMemory {
  let memory = memories.get(server)
  if (!memory) {
    memory = { data: new Map(), rulesets: new Map(), recorder: new Recorder(server) }
    memories.set(server, memory)
  }
  return memory
}

/** Hears of publishes, and writes what was counted until the process ends. */
export function startMemory(server: Server): () => Promise<void> {
  const { rulesets, recorder } = memoryOf(server)
  for (const name of server.pools.names) {
    if (name === 'home') continue
    server.signals.on(name, rulesChannel, payload => {
      if (payload === '') rulesets.clear()
      else rulesets.delete(`${name}/${payload}`)
    })
  }
  recorder.start()
  server.gathered.add(gatheredDecisions, () => recorder.flush())
  return () => recorder.stop()
}

/** The ruleset in force, compiled once and kept until a publish. */
export function rulesetOf(
  server: Server,
  zone: ZoneId,
  projectId: string,
  service: RuledService,
): Promise<Ruleset | null> {
  const { rulesets } = memoryOf(server)
  const key = `${zone}/${projectId}/${service}`
  const known = rulesets.get(key)
  if (known) return known
  if (rulesets.size >= mostRulesets) rulesets.delete(rulesets.keys().next().value!)
  const loading = load(server, zone, projectId, service).catch(error => {
    if (rulesets.get(key) === loading) rulesets.delete(key)
    throw error
  })
  rulesets.set(key, loading)
  return loading
}

async function load(server: Server, zone: ZoneId, projectId: string, service: RuledService): Promise<Ruleset | null> {
  const { rows } = await inTransaction(server.pools.of(zone), 'all', transaction =>
    transaction.query<{ version: number; source: string }>({
      name: 'rules in force',
      text: `SELECT v.version, v.source FROM rules_heads h
        JOIN rules_versions v ON v.project_id = h.project_id AND v.service = h.service AND v.version = h.published
        WHERE h.project_id = $1 AND h.service = $2`,
      values: [projectId, service],
    }),
  )
  const [row] = rows
  if (!row) return null
  return rulesetFrom(compileSource(row.source, service).program, row.version)
}

export function rulesetFrom(program: Ruleset['program'], version: number): Ruleset {
  return { service: program.service, version, program, counts: { allowed: 0, denied: 0, errors: 0, isWaiting: false } }
}
