import type { Context } from '../../../../server/context.ts'
import { searchKeyOf } from '../search.ts'
import { memberFaces } from '../tables.home.ts'

/** Keeps the words that an account is found by in every team it is in. */
export async function keepFace(ctx: Context, accountId: string, name: string, loginName: string): Promise<void> {
  const searchKey = searchKeyOf(name, loginName)
  await ctx.home
    .insert(memberFaces)
    .values({ accountId, searchKey })
    .onConflictDoUpdate({ target: memberFaces.accountId, set: { searchKey } })
}
