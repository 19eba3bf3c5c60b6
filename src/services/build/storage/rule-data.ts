import { systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import type { RuleData } from '../rules/public.ts'
import { resourceOf } from './access.ts'
import { findObject } from './objects/rows.ts'

/** How `storage.exists` and live data of the simulator find a file: only in buckets of the project that asks. */
export function ruleData(server: Server): RuleData {
  return {
    read: async ({ projectId, teamId, zone }, [bucketId = '', ...names]) => {
      const ctx = systemContext(server, zone, { name: 'storage', teamId })
      return ctx.transact(async inner => {
        const { rows } = await inner.transaction(zone).query({
          name: 'storage bucket of project',
          text: 'SELECT 1 FROM storage_buckets WHERE bucket_id = $1 AND project_id = $2',
          values: [bucketId, projectId],
        })
        const file = rows.length === 0 ? null : await findObject(inner, bucketId, names.join('/'))
        return file && { value: resourceOf(file) }
      })
    },
    places: async ({ projectId, teamId, zone }) => {
      const ctx = systemContext(server, zone, { name: 'storage', teamId })
      const { rows } = await ctx.transact(inner =>
        inner.transaction(zone).query<{ bucketId: string }>({
          text: 'SELECT bucket_id AS "bucketId" FROM storage_buckets WHERE project_id = $1',
          values: [projectId],
        }),
      )
      return rows.map(({ bucketId }) => ({ path: [bucketId] }))
    },
  }
}
