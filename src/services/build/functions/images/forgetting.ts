import type { Context } from '../../../../server/context.ts'
import { runtimeOf } from '../pool/runtime.ts'

/** What engines keep of versions, once no function and no version names it any more. */
export async function removeUnnamedImages(ctx: Context): Promise<void> {
  const { image } = runtimeOf(ctx.server).engines
  await image.removeUnnamed?.(ctx.zone, ctx.now(), async digests => {
    const { rows } = await ctx.transaction(ctx.zone).query<{ digest: string }>({
      text: `SELECT one.digest FROM unnest($1::text[]) AS one(digest)
        WHERE EXISTS (SELECT FROM fn_functions f WHERE starts_with(f.digest, one.digest))
          OR EXISTS (SELECT FROM fn_versions v WHERE starts_with(v.digest, one.digest))`,
      values: [digests],
    })
    return new Set(rows.map(one => one.digest))
  })
}
