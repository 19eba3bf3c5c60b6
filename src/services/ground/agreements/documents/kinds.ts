import { and, eq, ne, sql } from 'drizzle-orm'
import type { Input } from '../../../../kernel/contract.ts'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { teamPermissions } from '../../teams/public.ts'
import { signalName } from '../memory.ts'
import type { KindRow } from '../queries.ts'
import { limits } from '../rules.ts'
import { documentRows, kindRows } from '../tables.home.ts'
import { agreementDocuments } from './contract.ts'

const { errors } = agreementDocuments

/** Makes a kind, with revision 0, or changes one. Whose signature it is stays once a document was published. */
export async function setKind(
  ctx: Context,
  body: Input<typeof agreementDocuments.calls.setKind>['body'],
): Promise<KindRow> {
  const { revision, ...fields } = body
  const { agrType, branchId } = fields
  const known = teamPermissions()
  const unknown = fields.permissions.findIndex(one => !known.includes(one) || one.startsWith('agreements.'))
  if (unknown !== -1) throw badField(`/permissions/${unknown}`, 'enum', 'is none that can wait for a signature')
  const isKind = and(eq(kindRows.agrType, agrType), eq(kindRows.branchId, branchId))
  const [before] = await ctx.home.select().from(kindRows).where(isKind).for('update')
  if (before && before.revision !== revision) refuse(commonErrors.stale, { revision: before.revision })
  if (!before && revision !== 0) refuse(commonErrors.notFound, { entity: 'kind', id: `${agrType}/${branchId}` })
  if (!before && (await ctx.home.$count(kindRows)) >= limits.kinds) refuse(errors.tooManyKinds, { limit: limits.kinds })
  if (before && before.signer !== fields.signer && (await isPublished(ctx, agrType, branchId)))
    refuse(errors.kindTaken, { agrType, branchId })
  const row = { ...fields, permissions: fields.signer === 'team' ? fields.permissions : [], updatedAt: ctx.now() }
  const [kept] = before
    ? await ctx.home
        .update(kindRows)
        .set({ ...row, revision: sql`${kindRows.revision} + 1` })
        .where(isKind)
        .returning()
    : await ctx.home
        .insert(kindRows)
        .values({ ...row, revision: 1 })
        .onConflictDoNothing()
        .returning()
  if (!kept) refuse(commonErrors.stale, { revision: 1 })
  ctx.audit(
    {
      action: before ? 'agreement_kind.updated' : 'agreement_kind.created',
      entity: 'agreement_kind',
      entityId: `${agrType}/${branchId}`,
      before: before ? { ...before } : null,
      after: row,
    },
    'home',
  )
  ctx.signal('home', signalName, '')
  return kept
}

async function isPublished(ctx: Context, agrType: number, branchId: number): Promise<boolean> {
  const { agrType: ofType, branchId: ofBranch, state } = documentRows
  const some = await ctx.home.$count(documentRows, and(eq(ofType, agrType), eq(ofBranch, branchId), ne(state, 'draft')))
  return some > 0
}
