import { and, count, desc, eq, ilike, lt, ne, or, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField, isDuplicate } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { assertRules, projectHere } from '../checking.ts'
import { matchSet } from '../matching.ts'
import { limits } from '../rules.ts'
import { type KeptRule, ruleSets as rows, ruleSetVersions as versions } from '../tables.ts'
import { ruleSets as contract } from './contract.ts'

type Row = typeof rows.$inferSelect
const { errors } = contract

export default implement(contract, {
  matchRules: async (ctx, { body }) => {
    const { ruleSetCode: code } = body
    const [set] = await ctx.db
      .select()
      .from(rows)
      .where(and(eq(rows.teamId, ctx.teamId), eq(rows.code, code), ctx.withinScope(rows)))
    if (!set) refuse(errors.unknownCode, { code })
    if (set.publishedVersion === 0) refuse(errors.notPublished, { code })
    return matchSet(ctx, set, body.context, body.explain === true)
  },

  listRuleSets: async (ctx, { query }) => {
    const { projectId } = await projectHere(ctx, query.projectId)
    const search = query.search?.trim()
    const like = `%${search?.replace(/[\\%_]/g, '\\$&')}%`
    const wanted = and(
      eq(rows.projectId, projectId),
      search ? or(ilike(rows.code, like), ilike(rows.name, like)) : undefined,
    )
    const pageSize = query.pageSize ?? 20
    const list = await ctx.db
      .select({ ...summary, ruleCount: sql<number>`jsonb_array_length(${rows.draft})` })
      .from(rows)
      .where(and(wanted, query.cursor ? lt(rows.ruleSetId, query.cursor) : undefined))
      .orderBy(desc(rows.ruleSetId))
      .limit(pageSize)
    const [counted] = await ctx.db.select({ total: count() }).from(rows).where(wanted)
    const last = list.at(-1)
    return { total: counted?.total ?? 0, list, nextCursor: list.length === pageSize && last ? last.ruleSetId : null }
  },

  createRuleSet: async (ctx, { body }) => {
    const { projectId, teamId } = await projectHere(ctx, body.projectId)
    const [counted] = await ctx.db.select({ total: count() }).from(rows).where(eq(rows.projectId, projectId))
    if ((counted?.total ?? 0) >= limits.ruleSets) refuse(errors.tooManyRuleSets, { limit: limits.ruleSets })
    const now = ctx.now()
    const [row] = await ctx.db
      .insert(rows)
      .values({
        ruleSetId: ctx.newId(),
        ...{ projectId, teamId, code: body.code, name: body.name, description: body.description ?? '' },
        ...{ draft: [], published: [], createdAt: now, updatedAt: now },
      })
      .returning()
      .catch(error => (isDuplicate(error) ? refuse(errors.codeTaken, { code: body.code }) : Promise.reject(error)))
    return done(ctx, 'created', row as Row)
  },

  getRuleSet: async (ctx, { params }) => view(await load(ctx, params.ruleSetId)),

  saveRuleSet: async (ctx, { params, body }) => {
    const before = await load(ctx, params.ruleSetId)
    const draft = body.draft === undefined ? undefined : await draftOf(ctx, before, body.draft)
    const row = await write(ctx, before, body.revision, {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.description === undefined ? {} : { description: body.description }),
      ...(draft ? { draft, isChanged: differs(draft) } : {}),
    })
    return done(ctx, 'updated', row, before)
  },

  publishRuleSet: async (ctx, { params, body }) => {
    const before = await load(ctx, params.ruleSetId)
    if (!before.isChanged) refuse(errors.nothingToPublish)
    // An audience may have gone since the draft was kept.
    await assertRules(ctx, before.projectId, pointed(before.draft))
    const row = await publish(ctx, before, body.revision, before.draft, { note: body.note ?? '' })
    return done(ctx, 'published', row, before)
  },

  listRuleSetVersions: async (ctx, { params, query }) => {
    const { ruleSetId } = await load(ctx, params.ruleSetId)
    const pageSize = query.pageSize ?? 20
    const before = query.cursor === undefined ? undefined : lt(versions.version, versionNumber(query.cursor))
    const list = await ctx.db
      .select()
      .from(versions)
      .where(and(eq(versions.ruleSetId, ruleSetId), before))
      .orderBy(desc(versions.version))
      .limit(pageSize)
    const [counted] = await ctx.db.select({ total: count() }).from(versions).where(eq(versions.ruleSetId, ruleSetId))
    const last = list.at(-1)
    return {
      total: counted?.total ?? 0,
      list: list.map(row => ({ ...row, ruleCount: row.rules.length })),
      nextCursor: list.length === pageSize && last ? String(last.version) : null,
    }
  },

  rollBackRuleSet: async (ctx, { params, body }) => {
    const before = await load(ctx, params.ruleSetId)
    const { version } = body
    const [old] = await ctx.db
      .select()
      .from(versions)
      .where(
        and(
          eq(versions.ruleSetId, before.ruleSetId),
          eq(versions.version, version),
          ne(versions.version, before.publishedVersion),
        ),
      )
    if (!old) refuse(errors.unknownVersion, { version })
    await assertRules(ctx, before.projectId, pointed(old.rules))
    const row = await publish(ctx, before, body.revision, old.rules, { note: '', rollbackSource: version })
    return done(ctx, 'rolled_back', row, before)
  },

  deleteRuleSet: async (ctx, { params }) => {
    const { ruleSetId, code } = await load(ctx, params.ruleSetId)
    await ctx.db.delete(versions).where(eq(versions.ruleSetId, ruleSetId))
    await ctx.db.delete(rows).where(eq(rows.ruleSetId, ruleSetId))
    ctx.audit({ action: 'ruleSet.deleted', entity: 'ruleSet', entityId: ruleSetId, before: { code } })
    ctx.emit({ type: 'rule_set.deleted', entity: 'ruleSet', entityId: ruleSetId, data: { code } })
    return {}
  },
})

const summary = {
  ruleSetId: rows.ruleSetId,
  projectId: rows.projectId,
  code: rows.code,
  name: rows.name,
  description: rows.description,
  isChanged: rows.isChanged,
  publishedVersion: rows.publishedVersion,
  createdAt: rows.createdAt,
  updatedAt: rows.updatedAt,
  revision: rows.revision,
}

const view = (row: Row) => ({ ...row, ruleCount: row.draft.length })
const pointed = (rules: readonly KeptRule[]) =>
  rules.map((one, at) => ({ pointer: `/draft/${at}/rule`, rule: one.rule }))
/** Compared as the database keeps them: the order of keys says nothing. */
const differs = (draft: KeptRule[]) =>
  sql<boolean>`${rows.publishedVersion} = 0 OR ${JSON.stringify(draft)}::jsonb <> ${rows.published}`

function versionNumber(cursor: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(cursor)) return Number(cursor)
  throw badField('/cursor', 'cursor', 'is no cursor of this list', 'query')
}

async function load(ctx: Context, ruleSetId: string): Promise<Row> {
  const [row] = await ctx.db
    .select()
    .from(rows)
    .where(and(eq(rows.teamId, ctx.teamId), eq(rows.ruleSetId, ruleSetId), ctx.withinScope(rows)))
  return row ?? refuse(commonErrors.notFound, { entity: 'ruleSet', id: ruleSetId })
}

/** The rules of a draft as they are kept: checked, with an id each. */
async function draftOf(
  ctx: Context,
  { projectId }: Row,
  sent: readonly (Omit<KeptRule, 'ruleId'> & { ruleId?: string })[],
): Promise<KeptRule[]> {
  const draft = sent.map(one => ({
    ruleId: one.ruleId ?? ctx.newId(),
    ...{ name: one.name, isOn: one.isOn, rule: one.rule, payload: one.payload ?? null },
  }))
  draft.forEach((one, at) => {
    if (draft.findIndex(other => other.ruleId === one.ruleId) !== at) {
      throw badField(`/draft/${at}/ruleId`, 'unique', 'is the id of another rule of the set; leave it out')
    }
    if (JSON.stringify(one.payload).length > limits.payloadChars) {
      throw badField(`/draft/${at}/payload`, 'length', `is longer than ${limits.payloadChars} characters as JSON`)
    }
  })
  await assertRules(ctx, projectId, pointed(draft))
  return draft
}

type Change = PgUpdateSetSource<typeof rows>

async function write(ctx: Context, before: Row, revision: number, change: Change): Promise<Row> {
  const [row] = await ctx.db
    .update(rows)
    .set({ ...change, updatedAt: ctx.now(), revision: sql`${rows.revision} + 1` })
    .where(and(eq(rows.ruleSetId, before.ruleSetId), eq(rows.revision, revision)))
    .returning()
  return row ?? refuse(commonErrors.stale, { revision: before.revision })
}

async function publish(
  ctx: Context,
  before: Row,
  revision: number,
  rules: KeptRule[],
  how: { note: string; rollbackSource?: number },
): Promise<Row> {
  const version = before.publishedVersion + 1
  const change = { publishedVersion: version, published: rules, draft: rules, isChanged: false }
  const row = await write(ctx, before, revision, change)
  const { ruleSetId, teamId } = row
  const publishedBy = ctx.caller.accountId ?? ''
  await ctx.db
    .insert(versions)
    .values({ ruleSetId, version, teamId, rules, ...how, publishedAt: ctx.now(), publishedBy })
  await ctx.db
    .delete(versions)
    .where(and(eq(versions.ruleSetId, ruleSetId), lt(versions.version, version - limits.versions + 1)))
  return row
}

/** What changed, for the audit trail and for whoever listens. */
function done(ctx: Context, what: 'created' | 'updated' | 'published' | 'rolled_back', row: Row, before?: Row) {
  const { ruleSetId: entityId, code, projectId, publishedVersion } = row
  ctx.audit({
    action: `ruleSet.${what}`,
    entity: 'ruleSet',
    entityId,
    before: before ? { publishedVersion: before.publishedVersion, rules: before.draft.length } : null,
    after: { code, publishedVersion, rules: row.draft.length },
  })
  ctx.emit({ type: `rule_set.${what}`, entity: 'ruleSet', entityId, data: { projectId, code, publishedVersion } })
  return view(row)
}
