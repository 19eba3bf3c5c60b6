import { and, desc, eq, isNull, lte, or } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { allowedActions } from '../../../../kernel/life-cycle.ts'
import type { Context } from '../../../../server/context.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { shared } from '../contract.ts'
import { decisions, developerActions, developerCycle } from '../rules.ts'
import { developerRows as rows } from '../tables.home.ts'

export type DeveloperRow = typeof rows.$inferSelect
type Action = (typeof developerCycle.moves)[number]['action']
const offered: readonly string[] = [...developerActions, ...decisions]

export function shownAgreement(ctx: Context, row: DeveloperRow) {
  // A note can still be written, so what it is needed for is offered.
  const actions = allowedActions(developerCycle, row.state, permission => ctx.may(permission))
  return {
    ...row,
    allowedActions: actions.filter(action => offered.includes(action)) as (typeof developerActions)[number][],
  }
}

export async function moveAgreement(
  ctx: Context,
  row: DeveloperRow,
  action: Action,
  more: { note?: string; isConsequence?: true } = {},
): Promise<DeveloperRow> {
  const { agreementId, teamId, kind, country, language, version, title } = row
  const { state, revision } = await transition(ctx, {
    cycle: developerCycle,
    table: 'developer_agreements',
    idColumn: 'agreement_id',
    row: { id: agreementId, state: row.state, revision: row.revision },
    action,
    facts: {
      hasNote: (more.note ?? '').trim() !== '',
      isDue: row.effectiveAt === null || row.effectiveAt <= ctx.now(),
    },
    unmet: fact => (fact === 'hasNote' ? refuse(shared.errors.noteMissing) : refuse(commonErrors.internal)),
    data: { kind, country, language, version, title, ...(more.note ? { note: more.note } : {}) },
    note: more.note ? { note: more.note } : {},
    teamId,
    ...(more.isConsequence ? { isConsequence: true } : {}),
    database: 'home',
  })
  return { ...row, state: state ?? row.state, revision }
}

/** Brings an approved agreement into force when its time has come; the one before it ends with that. */
export async function startIfDue(ctx: Context, row: DeveloperRow): Promise<DeveloperRow> {
  if (row.effectiveAt !== null && row.effectiveAt > ctx.now()) return row
  const { teamId, kind, country, language } = row
  const before = await ctx.home
    .select()
    .from(rows)
    .where(
      and(
        eq(rows.teamId, teamId),
        eq(rows.kind, kind),
        eq(rows.country, country),
        eq(rows.language, language),
        eq(rows.state, 'effective'),
      ),
    )
    .for('update')
  for (const one of before) await moveAgreement(ctx, one, 'supersede', { isConsequence: true })
  const started = await moveAgreement(ctx, row, 'start', { isConsequence: true })
  if (row.effectiveAt === null)
    await ctx.home.update(rows).set({ effectiveAt: ctx.now() }).where(eq(rows.agreementId, row.agreementId))
  return { ...started, effectiveAt: row.effectiveAt ?? ctx.now() }
}

/** Those whose date has come, the oldest version first: of two due at once the later one stays. */
export async function startDue(ctx: Context): Promise<void> {
  const due = await ctx.home
    .select()
    .from(rows)
    .where(and(eq(rows.state, 'approved'), or(isNull(rows.effectiveAt), lte(rows.effectiveAt, ctx.now()))))
    .orderBy(rows.version)
    .limit(100)
    .for('update', { skipLocked: true })
  for (const row of due) await startIfDue(ctx, row)
}

/** The text in force beside the one that is looked at. */
export async function textInForce(ctx: Context, row: DeveloperRow): Promise<string | null> {
  const { teamId, kind, country, language } = row
  const [found] = await ctx.home
    .select({ body: rows.body })
    .from(rows)
    .where(
      and(
        eq(rows.teamId, teamId),
        eq(rows.kind, kind),
        eq(rows.country, country),
        eq(rows.language, language),
        eq(rows.state, 'effective'),
      ),
    )
    .orderBy(desc(rows.version))
    .limit(1)
  return found?.body ?? null
}
