import { and, asc, desc, eq, gt, ilike, lt, max, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField, isDuplicate } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { teamNamed, teamsFound } from '../../teams/public.ts'
import { cursorOf } from '../cursor.ts'
import { agreedOf, digestOf } from '../queries.ts'
import { everywhere } from '../rules.ts'
import { signAll, textSigned } from '../signing.ts'
import { standingsOf } from '../standings.ts'
import { kindRows, developerRows as rows, teamSignRows } from '../tables.home.ts'
import { developerAgreements } from './contract.ts'
import { type DeveloperRow, moveAgreement, shownAgreement, startIfDue, textInForce } from './life.ts'

export default implement(developerAgreements, {
  createAgreement: async (ctx, { body }) => {
    checkDate(ctx, body.effectiveAt)
    const { kind, country, language, title, body: text } = body
    const ofSeries = and(ofTeam(ctx), eq(rows.kind, kind), eq(rows.country, country), eq(rows.language, language))
    const [last] = await ctx.home
      .select({ version: max(rows.version) })
      .from(rows)
      .where(ofSeries)
    const now = ctx.now()
    const row: DeveloperRow = {
      agreementId: ctx.newId(),
      teamId: ctx.teamId,
      kind,
      country,
      language,
      version: (last?.version ?? 0) + 1,
      title,
      body: text,
      bodyHash: digestOf(text),
      state: 'draft',
      effectiveAt: body.effectiveAt ?? null,
      note: '',
      createdBy: ctx.accountId,
      createdAt: now,
      updatedAt: now,
      revision: 1,
    }
    await ctx.home
      .insert(rows)
      .values(row)
      .catch(error => (isDuplicate(error) ? refuse(commonErrors.stale, { revision: 1 }) : Promise.reject(error)))
    ctx.audit(
      {
        action: 'developer_agreement.created',
        entity: 'developer_agreement',
        entityId: row.agreementId,
        after: { kind, country, language, version: row.version },
      },
      'home',
    )
    return shownAgreement(ctx, row)
  },

  updateAgreement: async (ctx, { body }) => {
    checkDate(ctx, body.effectiveAt)
    const before = await load(ctx, body.agreementId)
    const moved = await moveAgreement(ctx, before, before.state === 'rejected' ? 'revise' : 'update')
    const { title, body: text } = body
    const set = { title, body: text, bodyHash: digestOf(text), note: '', effectiveAt: body.effectiveAt ?? null }
    await ctx.home.update(rows).set(set).where(eq(rows.agreementId, before.agreementId))
    return shownAgreement(ctx, { ...moved, ...set, updatedAt: ctx.now() })
  },

  deleteAgreement: async (ctx, { query }) => {
    const row = await load(ctx, query.agreementId)
    await moveAgreement(ctx, row, 'delete')
    await ctx.home.delete(rows).where(and(ofTeam(ctx), eq(rows.agreementId, row.agreementId)))
    return {}
  },

  getAgreement: async (ctx, { query }) => shownAgreement(ctx, await load(ctx, query.agreementId)),

  listAgreements: async (ctx, { body }) => {
    const { state, kind, search, cursor } = body
    const pageSize = body.pageSize ?? 20
    const filter = and(
      ofTeam(ctx),
      state ? eq(rows.state, state) : undefined,
      kind ? eq(rows.kind, kind) : undefined,
      search ? ilike(rows.title, `%${search.replace(/[\\%_]/g, '\\$&')}%`) : undefined,
    )
    const found = await ctx.home
      .select()
      .from(rows)
      .where(and(filter, cursor ? lt(rows.agreementId, cursorOf(cursor, 'body')) : undefined))
      .orderBy(desc(rows.agreementId))
      .limit(pageSize + 1)
    const list = found.slice(0, pageSize)
    return {
      total: await ctx.home.$count(rows, filter),
      list: list.map(row => shownAgreement(ctx, row)),
      nextCursor: found.length > pageSize ? (list.at(-1)?.agreementId ?? null) : null,
    }
  },

  submitAgreement: async (ctx, { body }) => {
    const row = await load(ctx, body.agreementId)
    return shownAgreement(ctx, await moveAgreement(ctx, row, 'submit'))
  },

  signForTeam: async (ctx, { body }, wire) => {
    const by = { signer: 'team' as const, id: ctx.teamId, country: await countryOfTeam(ctx) }
    return { signInfo: await signAll(ctx, by, body.signInfo, wire) }
  },

  listTeamSigns: async ctx => ({ signInfo: await ofOwnTeam(ctx) }),

  getTeamSign: async (ctx, { query }) => {
    const { signId } = query
    const [found] = await ctx.home
      .select({ sign: teamSignRows, name: kindRows.name })
      .from(teamSignRows)
      .innerJoin(
        kindRows,
        and(eq(kindRows.agrType, teamSignRows.agrType), eq(kindRows.branchId, teamSignRows.branchId)),
      )
      .where(and(eq(teamSignRows.teamId, ctx.teamId), eq(teamSignRows.signId, signId)))
    const text = found && (await textSigned(ctx, found.sign))
    if (!found || !text) refuse(commonErrors.notFound, { entity: 'signature', id: signId })
    const { title, body } = text
    return { ...found.sign, name: found.name, title, body, isIntact: digestOf(body) === found.sign.bodyHash }
  },

  listPermissions: async (ctx, { body }) => {
    const standings = await ofOwnTeam(ctx)
    const asked = body.permissions ?? standings.flatMap(one => one.permissions)
    const list = [...new Set(asked)].sort().map(permission => {
      const agreements = standings.filter(one => one.permissions.includes(permission))
      const isWaiting = agreements.some(one => one.isRequired && one.needSign)
      return { permission, isHeld: ctx.may(permission), isWaiting, agreements }
    })
    return { list }
  },

  listSubmitted: async (ctx, { query }) => {
    const pageSize = query.pageSize ?? 20
    const state = query.state ?? 'submitted'
    const isQueue = state === 'submitted'
    const filter = eq(rows.state, state)
    const after = isQueue ? gt : lt
    const found = await ctx.home
      .select()
      .from(rows)
      .where(and(filter, query.cursor ? after(rows.agreementId, cursorOf(query.cursor)) : undefined))
      .orderBy(isQueue ? asc(rows.agreementId) : desc(rows.agreementId))
      .limit(pageSize + 1)
    const list = found.slice(0, pageSize)
    const { list: teams } = await teamsFound(ctx, {
      teamIds: [...new Set(list.map(row => row.teamId))],
      limit: pageSize,
    })
    return {
      total: await ctx.home.$count(rows, filter),
      list: list.map(row => ({
        ...shownAgreement(ctx, row),
        teamName: teams.find(team => team.teamId === row.teamId)?.name ?? null,
      })),
      nextCursor: found.length > pageSize ? (list.at(-1)?.agreementId ?? null) : null,
    }
  },

  getSubmitted: async (ctx, { query }) => {
    const row = await loadAny(ctx, query.agreementId)
    const team = await teamNamed(ctx, row.teamId)
    return { ...shownAgreement(ctx, row), teamName: team?.name ?? null, before: await textInForce(ctx, row) }
  },

  decideAgreement: async (ctx, { body }) => {
    const row = await loadAny(ctx, body.agreementId)
    const note = body.note ?? ''
    const decided = await moveAgreement(ctx, row, body.decision, { note })
    await ctx.home.update(rows).set({ note }).where(eq(rows.agreementId, row.agreementId))
    const { state } = body.decision === 'approve' ? await startIfDue(ctx, decided) : decided
    return { state }
  },
})

const ofTeam = (ctx: Context) => eq(rows.teamId, ctx.teamId)

async function load(ctx: Context, agreementId: string): Promise<DeveloperRow> {
  const [row] = await ctx.home
    .select()
    .from(rows)
    .where(and(ofTeam(ctx), eq(rows.agreementId, agreementId)))
  return row ?? refuse(commonErrors.notFound, { entity: 'agreement', id: agreementId })
}

/** Of whatever team, for staff; a draft is nobody's business yet. */
async function loadAny(ctx: Context, agreementId: string): Promise<DeveloperRow> {
  const [row] = await ctx.home
    .select()
    .from(rows)
    .where(and(eq(rows.agreementId, agreementId), sql`${rows.state} <> 'draft'`))
  return row ?? refuse(commonErrors.notFound, { entity: 'agreement', id: agreementId })
}

function checkDate(ctx: Context, effectiveAt: number | null | undefined): void {
  if (effectiveAt != null && effectiveAt < ctx.now())
    throw badField('/effectiveAt', 'minimum', 'lies in the past; choose a later time, or none for at once')
}

async function countryOfTeam(ctx: Context): Promise<string> {
  return (await teamNamed(ctx, ctx.teamId))?.countryCode ?? everywhere
}

async function ofOwnTeam(ctx: Context) {
  const country = await countryOfTeam(ctx)
  return standingsOf(ctx, 'team', { country, agreed: await agreedOf(ctx, 'team', ctx.teamId) })
}
