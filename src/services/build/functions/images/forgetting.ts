import type { Context } from '../../../../server/context.ts'
import { runtimeOf } from '../pool/runtime.ts'

/** What engines keep of versions, once no function and no version names it any more. Not within a transaction: it asks the engine. */
export async function removeUnnamedImages(outer: Context): Promise<void> {
  const { image } = runtimeOf(outer.server).engines
  await image.removeUnnamed?.(outer.zone, outer.now(), digests =>
    outer.transact(async ctx => {
      const { rows } = await ctx.transaction(ctx.zone).query<{ digest: string }>({
        text: `SELECT one.digest FROM unnest($1::text[]) AS one(digest)
          WHERE EXISTS (SELECT FROM fn_functions f WHERE starts_with(f.digest, one.digest))
            OR EXISTS (SELECT FROM fn_versions v WHERE starts_with(v.digest, one.digest))`,
        values: [digests],
      })
      return new Set(rows.map(one => one.digest))
    }),
  )
}
