import { and, asc, count, desc, eq, gt, lt } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { storeLogEntries } from '../tables.home.ts'
import { transparency as contract } from './contract.ts'
import { type Head, hashesOfRanges, headOf, newestHead, sha256, signHead } from './log.ts'
import { loadLogKey } from './log-key.ts'
import { consistencyRanges, hashLeaf, inclusionRanges, leafOf, toHex } from './rules.ts'

const { errors } = contract
/** The same bytes under several names; more than these nobody needs at once. */
const mostProofs = 20

export default implement(contract, {
  getLogHead: async ctx => {
    const { origin, publicKey } = await loadLogKey(ctx.server)
    return { ...(await signedHead(ctx)), origin, publicKey }
  },

  listLogEntries: async (ctx, { query }) => {
    const isNewestFirst = query.order === 'newest'
    const { position } = storeLogEntries
    const ofPackage = query.packageName === undefined ? undefined : eq(storeLogEntries.packageName, query.packageName)
    const after = /^\d{1,15}$/.test(query.cursor ?? '') ? Number(query.cursor) : undefined
    const isBeyond = after === undefined ? undefined : isNewestFirst ? lt(position, after) : gt(position, after)
    const size = query.pageSize ?? 20
    const found = await ctx.home
      .select()
      .from(storeLogEntries)
      .where(and(ofPackage, isBeyond))
      .orderBy(isNewestFirst ? desc(position) : asc(position))
      .limit(size + 1)
    const [counted] = await ctx.home.select({ total: count() }).from(storeLogEntries).where(ofPackage)
    const list = found.slice(0, size)
    const last = list.at(-1)
    return {
      total: counted?.total ?? 0,
      list,
      nextCursor: last && found.length > size ? String(last.position) : null,
    }
  },

  proveInclusion: async (ctx, { query }) => {
    const newest = await signedHead(ctx)
    const size = query.treeSize ?? newest.size
    const head = size === newest.size ? newest : await headOf(ctx, size)
    if (!head) refuse(errors.noSuchSize, { size: newest.size, asked: size })
    const entries = await ctx.home
      .select()
      .from(storeLogEntries)
      .where(and(eq(storeLogEntries.sha256, query.sha256), lt(storeLogEntries.position, size)))
      .orderBy(storeLogEntries.position)
      .limit(mostProofs)
    const list = []
    for (const entry of entries) {
      const proof = await hashesOfRanges(ctx, inclusionRanges(entry.position, size))
      list.push({ entry, leafHash: toHex(hashLeaf(sha256, leafOf(entry))), proof: proof.map(toHex) })
    }
    return { head, list }
  },

  proveConsistency: async (ctx, { query: { first, second } }) => {
    if (first > second) refuse(errors.wrongOrder, { first, second })
    const { size } = await signedHead(ctx)
    if (second > size) refuse(errors.noSuchSize, { size, asked: second })
    const proof = await hashesOfRanges(ctx, consistencyRanges(first, second))
    return { first, second, proof: proof.map(toHex) }
  },
})

/** The first head of an empty log is signed by whoever asks first; every later one by the job that makes the index. */
async function signedHead(ctx: Context): Promise<Head> {
  return (await newestHead(ctx)) ?? signHead(ctx)
}
