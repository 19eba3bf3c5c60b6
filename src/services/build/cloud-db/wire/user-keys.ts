import { refuse } from '../../../../kernel/errors.ts'
import { dataErrors } from '../objects/rules.ts'
import { prepared, type Runner } from '../statements.ts'

/** Encrypted fields are opened by apps alone, with a key of the user that apps wrap and we keep as it comes. */
interface KeyOf {
  projectId: string
  uid: string
}

export async function userKeyOf(run: Runner, { projectId, uid }: KeyOf): Promise<string | null> {
  const text = 'SELECT wrapped_key FROM cdb_user_keys WHERE project_id = $1 AND uid = $2'
  const { rows } = await run.query<{ wrapped_key: string }>(prepared(text, [projectId, uid]))
  return rows[0]?.wrapped_key ?? null
}

/** A key that is lost takes the user's data with it: one that is there is replaced only by whoever knows it. */
export async function putUserKey(
  run: Runner,
  { projectId, uid }: KeyOf,
  { userKey, before }: { userKey: string; before?: string | undefined },
  now: number,
): Promise<void> {
  const { rowCount } = await run.query(
    prepared(
      `INSERT INTO cdb_user_keys AS k (project_id, uid, wrapped_key, updated_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (project_id, uid) DO UPDATE SET wrapped_key = excluded.wrapped_key, updated_at = excluded.updated_at
        WHERE k.wrapped_key = $5 OR k.wrapped_key = excluded.wrapped_key`,
      [projectId, uid, userKey, now, before ?? null],
    ),
  )
  if (rowCount === 0) refuse(dataErrors.rowsChanged)
}

export async function deleteUserKey(run: Runner, { projectId, uid }: KeyOf): Promise<number> {
  const text = 'DELETE FROM cdb_user_keys WHERE project_id = $1 AND uid = $2'
  return (await run.query(prepared(text, [projectId, uid]))).rowCount ?? 0
}
