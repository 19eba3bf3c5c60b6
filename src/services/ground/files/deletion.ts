import { commonErrors, Refusal } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { files } from './contract.ts'
import { type FileRow, leaveToCollector, loadObjects } from './queries.ts'
import { fileLimits, fileStates, statesBefore } from './rules.ts'

const seen = fileStates.filter(state => state !== 'DELETED')

/** Deletes what can be deleted and says of the rest why not; refuses with the first reason where nothing can be. */
export async function deleteObjects(ctx: Context, objectIds: readonly string[]) {
  const wanted = [...new Set(objectIds)]
  const known = await loadObjects(ctx, wanted, seen)
  const deleted = await markDeleted(
    ctx,
    known.map(row => row.objectId),
  )
  const gone = new Set(deleted.map(row => row.objectId))
  const refused = wanted.flatMap(objectId => {
    if (gone.has(objectId)) return []
    const row = known.find(one => one.objectId === objectId)
    return [{ objectId, refusal: whyNot(objectId, row) }]
  })
  const [first] = refused
  if (deleted.length === 0 && first) throw first.refusal
  return {
    deletedObjects: [...gone],
    errorObjects: refused.map(({ objectId, refusal }) => ({
      objectId,
      code: refusal.number,
      message: refusal.message,
    })),
  }
}

async function markDeleted(ctx: Context, objectIds: readonly string[]) {
  if (objectIds.length === 0) return []
  const now = ctx.now()
  const { rows } = await ctx.transaction(ctx.zone).query<{ object_id: string; sha256: string | null }>({
    text: `UPDATE file_objects SET state = 'DELETED', expire_at = $4, updated_at = $3, revision = revision + 1
      WHERE object_id = ANY($1) AND team_id = $2 AND state = ANY($5) RETURNING object_id, sha256`,
    values: [objectIds, ctx.teamId, now, now + fileLimits.deletedRowLifeMs, statesBefore('delete')],
  })
  await leaveToCollector(
    ctx,
    rows.map(row => row.sha256),
  )
  for (const { object_id: entityId } of rows) {
    ctx.emit({ type: 'file.deleted', entity: 'file', entityId })
    ctx.audit({ action: 'file.delete', entity: 'file', entityId })
  }
  return rows.map(row => ({ objectId: row.object_id }))
}

function whyNot(objectId: string, row: FileRow | undefined): Refusal {
  if (!row) return new Refusal(commonErrors.notFound, { entity: 'object', id: objectId })
  if (row.state === 'NORMAL') return new Refusal(files.errors.objectInUse, { objectId, refCount: row.refCount })
  const allowedActions = row.state === 'UPLOADING' ? ['abort'] : []
  return new Refusal(commonErrors.stateNotAllowed, { state: row.state, allowedActions })
}
