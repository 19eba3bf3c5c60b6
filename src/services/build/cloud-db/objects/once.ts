import { createHash } from 'node:crypto'
import { refuse } from '../../../../kernel/errors.ts'
import type { Database } from '../model.ts'
import { prepared, type Runner } from '../statements.ts'
import { dataErrors } from './rules.ts'

const keptMs = 10 * 60_000

/**
 * Does the work of a request once: the public client sends the same one again, to another host, after any failure. The
 * answer is kept with the work itself; a request that failed has left nothing and is tried again.
 */
export async function onceForRequest<T extends object>(
  run: Runner,
  database: Database,
  request: { id: string; body: unknown; now: number },
  work: () => Promise<T>,
): Promise<{ answer: T; isRepeated: boolean }> {
  const digest = createHash('sha256').update(JSON.stringify(request.body)).digest('base64url')
  const taken = await run.query(
    prepared(
      `INSERT INTO cdb_requests (project_id, request_id, digest, expires_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (project_id, request_id) DO UPDATE SET digest = excluded.digest, answer = NULL, expires_at = excluded.expires_at
        WHERE cdb_requests.expires_at < $5 RETURNING 1`,
      [database.projectId, request.id, digest, request.now + keptMs, request.now],
    ),
  )
  if (taken.rowCount === 0) {
    const { rows } = await run.query<{ digest: string; answer: T }>(
      prepared('SELECT digest, answer FROM cdb_requests WHERE project_id = $1 AND request_id = $2', [
        database.projectId,
        request.id,
      ]),
    )
    const before = rows[0]
    if (before?.digest !== digest)
      refuse(dataErrors.badParameter, { reason: 'the requestId was used with another body' })
    return { answer: before.answer, isRepeated: true }
  }
  const answer = await work()
  await run.query(
    prepared('UPDATE cdb_requests SET answer = $3 WHERE project_id = $1 AND request_id = $2', [
      database.projectId,
      request.id,
      JSON.stringify(answer),
    ]),
  )
  return { answer, isRepeated: false }
}
