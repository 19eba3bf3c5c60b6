import { sql } from 'drizzle-orm'
import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { refuseUnapprovedResult } from './approvals.ts'
import { remoteConfigErrors as errors } from './contract.ts'
import { lockTemplate, ofTemplate, record, subjectOf, type TemplateRow, type Where } from './drafts.ts'
import { dropOldest, publish, publishChannel } from './publishing.ts'
import {
  type Beside,
  type Condition,
  limits,
  type Origin,
  type RunningExperiment,
  type RunningRollout,
  type Template,
} from './rules.ts'
import { rcsTemplates } from './tables.ts'
import { contentOfVersion } from './versions.ts'

/** What is released: texts as values, for everybody or where a rule holds. */
export interface Release {
  values: Readonly<Record<string, string>>
  /** Null puts them over everything that conditions say. */
  condition: Pick<Condition, 'name' | 'rule' | 'seed'> | null
  /** The experiments that run on, in the same version; asked for once the template is held. */
  running: () => Promise<readonly RunningExperiment[]>
  description: string
  /** Why: where others must agree first, it stands for that in the words of whoever may publish without them. */
  reason: string
}

/**
 * Puts other experiments or rollouts beside a template into force, as its next version; a draft made on the one before
 * stands on it. They are asked for once the template is held.
 */
export async function putBeside(
  ctx: Context,
  where: Where,
  besideNow: () => Promise<Partial<Beside>>,
  description: string,
): Promise<number> {
  const row = await lockTemplate(ctx, where)
  if (row.version === 0) refuse(errors.notThere, { thing: 'version', name: '1' })
  const version = row.version + 1
  const now = ctx.now()
  const { running, rollouts } = await besideNow()
  const origin = rollouts ? 'ROLLOUT' : 'EXPERIMENT'
  await copyVersion(ctx, where, row, { origin, description })
  await ctx.db
    .update(rcsTemplates)
    .set({
      ...{ version, publishedAt: now, updatedAt: now },
      ...(running && { running: [...running] }),
      ...(rollouts && { rollouts: [...rollouts] }),
      revision: sql`${rcsTemplates.revision} + 1`,
      ...(row.baseVersion === row.version && { baseVersion: version }),
    })
    .where(ofTemplate(where))
  await dropOldest(ctx, where, version)
  if (running) record(ctx, where, 'experiments', { version, running: running.map(one => one.experimentId) })
  if (rollouts) record(ctx, where, 'rollouts', { version, rollouts: rollouts.map(one => one.rolloutId) })
  ctx.emit({
    type: 'remote_config.published',
    entity: 'remote_config',
    entityId: subjectOf(where),
    teamId: row.teamId,
    data: { ...where, version, origin },
  })
  ctx.signal(ctx.zone, publishChannel, `${where.projectId} ${where.kind} ${version}`)
  return version
}

/** What is in force once more, in the database itself: it may be large. */
async function copyVersion(
  ctx: Context,
  { projectId, kind }: Where,
  row: TemplateRow,
  { origin, description }: { origin: Origin; description: string },
): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    name: 'remote config copy version',
    text: `INSERT INTO rcs_versions (project_id, kind, version, team_id, content, digest, origin, description,
        parameter_count, condition_count, added, changed, removed, published_at, published_by)
      SELECT project_id, kind, version + 1, team_id, content, digest, $7, $4,
        parameter_count, condition_count, 0, 0, 0, $5, $6
      FROM rcs_versions WHERE project_id = $1 AND kind = $2 AND version = $3`,
    values: [
      ...[projectId, kind, row.version, description.slice(0, limits.noteLength)],
      ...[ctx.now(), ctx.caller.accountId, origin],
    ],
  })
}

/** Publishes what an experiment found, and what runs on beside it, as one version. Refuses what cannot be published. */
export async function release(ctx: Context, where: Where, what: Release): Promise<number> {
  await refuseUnapprovedResult(ctx, where.projectId, what.reason)
  const locked = await lockTemplate(ctx, where)
  const content = await contentOfVersion(ctx, where, locked.version)
  const running = [...(await what.running())]
  await ctx.db.update(rcsTemplates).set({ running }).where(ofTemplate(where))
  const made = await publish(
    ctx,
    where,
    { ...locked, running },
    { content: withValues(content, what), origin: 'EXPERIMENT', description: what.description },
  )
  return made.version
}

/** The value of a rollout becomes that of its branch, for everybody; what runs on beside it goes along in the same version. */
export async function releaseRollout(
  ctx: Context,
  where: Where,
  what: Pick<RunningRollout, 'parameter' | 'condition' | 'value'> & {
    rolloutsNow: () => Promise<RunningRollout[]>
    description: string
  },
): Promise<number> {
  const { parameter: key, condition, description } = what
  const locked = await lockTemplate(ctx, where)
  const content = await contentOfVersion(ctx, where, locked.version)
  const parameter = content.parameters[key] ?? refuse(errors.notThere, { thing: 'parameter', name: key })
  const value = { value: what.value }
  const after =
    condition === null
      ? { ...parameter, default: value }
      : { ...parameter, conditional: { ...parameter.conditional, [condition]: value } }
  const rollouts = await what.rolloutsNow()
  await ctx.db.update(rcsTemplates).set({ rollouts }).where(ofTemplate(where))
  const made = await publish(
    ctx,
    where,
    { ...locked, rollouts },
    { content: { ...content, parameters: { ...content.parameters, [key]: after } }, origin: 'ROLLOUT', description },
  )
  return made.version
}

function withValues(content: Template, { values, condition }: Release): Template {
  const parameters = { ...content.parameters }
  for (const [key, value] of Object.entries(values)) {
    const parameter = parameters[key] ?? refuse(errors.notThere, { thing: 'parameter', name: key })
    parameters[key] = condition
      ? { ...parameter, conditional: { ...parameter.conditional, [condition.name]: { value } } }
      : { ...parameter, default: { value }, conditional: {} }
  }
  if (!condition) return { ...content, parameters }
  if (content.conditions.some(one => one.name === condition.name)) refuse(errors.nameTaken, { name: condition.name })
  const first: Condition = { ...condition, tagColor: 'PURPLE', description: '' }
  return { ...content, parameters, conditions: [first, ...content.conditions] }
}
