import { and, desc, eq, sql } from 'drizzle-orm'
import { commonErrors, type Refusal, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { activeProcesses, effectiveOf, processChannel } from '../active-processes.ts'
import { checkDefinition } from '../checking.ts'
import { type Definition, orchestrationErrors as errors } from '../contract.ts'
import { run } from '../invocation.ts'
import { processLifeCycle, processName } from '../rules.ts'
import { digestOf } from '../shipped.ts'
import { processVersions as versions } from '../tables.home.ts'
import { processDesk } from './contract.ts'
import { callsOf, processesOf } from './lists.ts'

type VersionRow = typeof versions.$inferSelect

export default implement(processDesk, {
  listProcesses: (ctx, { query }) => processesOf(ctx, query),
  listCalls: async (ctx, { query }) => callsOf(ctx, query),

  getProcess: async (ctx, { params }) => {
    const rows = await rowsOf(ctx, params)
    const active = await activeProcesses(ctx)
    const newest = rows[0]
    if (!newest) refuse(commonErrors.notFound, { entity: 'process', id: processName(params) })
    const definition = definitionOf(newest)
    return {
      ...params,
      usedBy: [...active].filter(([, one]) => one.sameAs === processName(params)).map(([name]) => name),
      effective: effectiveOf(definition, active) ?? definition,
      ...(await check(ctx, definition)),
      versions: rows.map(row => toVersion(ctx, row)),
    }
  },

  saveDraft: async (ctx, { params, body }) => {
    const { definition } = body
    if (processName(definition) !== processName(params)) {
      refuse(errors.otherProcess, { said: processName(definition), address: processName(params) })
    }
    const rows = await rowsOf(ctx, params)
    const draft = rows.find(row => row.state === 'draft')
    const changed = { digest: digestOf(definition), body: definition as Record<string, unknown>, updatedAt: ctx.now() }
    const note = body.note ?? draft?.note ?? ''
    const [row] = draft
      ? await ctx.home
          .update(versions)
          .set({ ...changed, note, revision: sql`${versions.revision} + 1` })
          .where(and(eq(versions.versionId, draft.versionId), eq(versions.revision, body.revision ?? 0)))
          .returning()
      : await ctx.home
          .insert(versions)
          .values({
            ...{ ...params, ...changed, note },
            versionId: ctx.newId(),
            version: (rows[0]?.version ?? 0) + 1,
            state: 'draft',
            origin: 'staff',
            createdBy: ctx.accountId,
            createdAt: ctx.now(),
          })
          .onConflictDoNothing()
          .returning()
    if (!row) refuse(commonErrors.stale, { revision: draft?.revision ?? 1 })
    ctx.audit({ action: 'process.drafted', entity: 'process', entityId: row.versionId, after: params }, 'home')
    return { version: toVersion(ctx, row), ...(await check(ctx, definition)) }
  },

  actOnVersion: async (ctx, { params, body }) => {
    const [row] = await ctx.home.select().from(versions).where(eq(versions.versionId, params.versionId)).for('update')
    if (!row) refuse(commonErrors.notFound, { entity: 'version', id: params.versionId })
    const { problems } = body.action === 'publish' ? await check(ctx, definitionOf(row)) : { problems: [] }
    if (body.action === 'publish') await retireActive(ctx, row)
    const { state } = await transition(ctx, {
      ...living(row),
      action: body.action,
      facts: { isSound: problems.length === 0 },
      unmet: () => refuse(errors.unsound, { fields: problems }),
    })
    if (state === null) await ctx.home.delete(versions).where(eq(versions.versionId, row.versionId))
    ctx.signal('home', processChannel, processName(row))
    return { state }
  },

  checkDefinition: async (ctx, { body }) => check(ctx, body.definition),

  dryRun: async (ctx, { body }, wire) => {
    const { problems } = await check(ctx, body.definition)
    if (problems.length > 0) refuse(errors.unsound, { fields: problems })
    const definition = effectiveOf(body.definition, await activeProcesses(ctx)) ?? body.definition
    const { refusal, data, partial, trace } = await run(
      ctx,
      definition,
      { ...body.input, ...body.definition.constants },
      wire.request,
      { key: ctx.newId(), teamId: body.teamId },
    )
    return { data: data ?? null, partial, trace, refusal: refusal ? told(refusal) : null }
  },
})

function told({ number, status, message, detail }: Refusal) {
  return { code: number, status, message, ...(detail['fields'] === undefined ? {} : { fields: detail['fields'] }) }
}

/** One process has one active version: the one before makes room. */
async function retireActive(ctx: Context, row: VersionRow): Promise<void> {
  const [active] = await ctx.home
    .select()
    .from(versions)
    .where(and(ofProcess(row), eq(versions.state, 'active')))
    .for('update')
  if (active) await transition(ctx, { ...living(active), action: 'retire', isConsequence: true })
}

function living({ versionId, state, revision, definitionId, processId, version }: VersionRow) {
  return {
    cycle: processLifeCycle,
    table: 'process_versions',
    idColumn: 'version_id',
    row: { id: versionId, state, revision },
    data: { definitionId, processId, version },
    database: 'home' as const,
  }
}

function ofProcess(name: { definitionId: string; processId: string }) {
  return and(eq(versions.definitionId, name.definitionId), eq(versions.processId, name.processId))
}

function rowsOf(ctx: Context, name: { definitionId: string; processId: string }): Promise<VersionRow[]> {
  return ctx.home.select().from(versions).where(ofProcess(name)).orderBy(desc(versions.version)).limit(100)
}

function definitionOf(row: VersionRow): Definition {
  return row.body as unknown as Definition
}

async function check(ctx: Context, definition: Definition) {
  const active = await activeProcesses(ctx)
  return checkDefinition(definition, { inside: ctx.server.inside, processOf: name => active.get(name) })
}

function toVersion(ctx: Context, row: VersionRow) {
  const { body: _body, ...head } = row
  return {
    ...head,
    definition: definitionOf(row),
    allowedActions: allowedActions(processLifeCycle, row.state, permission => ctx.may(permission)),
  }
}
