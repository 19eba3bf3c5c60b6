import { createHash } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { storeLogEntries, storeLogHeads } from '../tables.home.ts'
import { loadLogKey } from './log-key.ts'
import {
  checkpointText,
  foldNodes,
  fromHex,
  type Hash,
  hashLeaf,
  hashNode,
  leafOf,
  type Node,
  nodesOf,
  type Range,
  type Release,
  toHex,
} from './rules.ts'

export const sha256: Hash = bytes => createHash('sha256').update(bytes).digest()

/** Holds everybody else who adds off until the transaction ends, so that positions have no gaps. */
async function lockLog(ctx: Context): Promise<void> {
  await ctx.transaction('home').query("SELECT pg_advisory_xact_lock(hashtextextended('store log', 205))")
}

/** Adds what went on the shelf, unless the very same line is there already. In the caller's home transaction. */
export async function appendRelease(ctx: Context, versionId: string, release: Release): Promise<void> {
  await lockLog(ctx)
  const position = await logSize(ctx)
  const added = await ctx.home
    .insert(storeLogEntries)
    .values({ position, versionId, ...release })
    .onConflictDoNothing()
    .returning({ position: storeLogEntries.position })
  if (added.length > 0) await addLeaf(ctx, position, hashLeaf(sha256, leafOf(release)))
}

export async function logSize(ctx: Context): Promise<number> {
  const [last] = await ctx.home
    .select({ position: storeLogEntries.position })
    .from(storeLogEntries)
    .orderBy(desc(storeLogEntries.position))
    .limit(1)
  return last ? last.position + 1 : 0
}

/** Writes the leaf and every node that it completes. */
async function addLeaf(ctx: Context, leaf: number, leafHash: Uint8Array): Promise<void> {
  const siblings: Node[] = []
  for (let level = 0, position = leaf; position % 2 === 1; level++, position = (position - 1) / 2) {
    siblings.push({ level, position: position - 1 })
  }
  const known = await hashesOf(ctx, siblings)
  const added: (Node & { hash: string })[] = [{ level: 0, position: leaf, hash: toHex(leafHash) }]
  let node = leafHash
  siblings.forEach(({ level, position }, at) => {
    node = hashNode(sha256, known[at] as Uint8Array, node)
    added.push({ level: level + 1, position: position / 2, hash: toHex(node) })
  })
  await ctx.transaction('home').query({
    name: 'store log nodes',
    text: `INSERT INTO store_log_nodes (level, position, hash)
      SELECT level, position, hash FROM jsonb_to_recordset($1::jsonb) AS row(level int, position bigint, hash text)`,
    values: [JSON.stringify(added)],
  })
}

/** The hashes of ranges of leaves, in one query. */
export async function hashesOfRanges(ctx: Context, ranges: readonly Range[]): Promise<Uint8Array[]> {
  const parts = ranges.map(nodesOf)
  const hashes = await hashesOf(ctx, parts.flat())
  const of = new Map(parts.flat().map((node, at) => [node, hashes[at] as Uint8Array]))
  return parts.map(nodes =>
    foldNodes(
      sha256,
      nodes.map(node => of.get(node) as Uint8Array),
    ),
  )
}

async function hashesOf(ctx: Context, nodes: readonly Node[]): Promise<Uint8Array[]> {
  if (nodes.length === 0) return []
  const { rows } = await ctx.transaction('home').query<{ level: number; position: string; hash: string }>({
    name: 'store log hashes',
    text: `SELECT node.level, node.position, node.hash FROM store_log_nodes node
      JOIN unnest($1::int[], $2::bigint[]) AS wanted(level, position) USING (level, position)`,
    values: [nodes.map(node => node.level), nodes.map(node => node.position)],
  })
  const found = new Map(rows.map(row => [`${row.level} ${row.position}`, row.hash]))
  return nodes.map(({ level, position }) => {
    const hash = found.get(`${level} ${position}`)
    if (hash === undefined) throw new Error(`the log of releases has no node ${level}/${position}`)
    return fromHex(hash)
  })
}

export type Head = typeof storeLogHeads.$inferSelect

/** The newest signed state of the log; signs one when something was added since. */
export async function signHead(ctx: Context): Promise<Head> {
  const size = await logSize(ctx)
  const kept = await headOf(ctx, size)
  if (kept) return kept
  const key = await loadLogKey(ctx.server)
  const [root = foldNodes(sha256, [])] = size === 0 ? [] : await hashesOfRanges(ctx, [[0, size]])
  const at = ctx.now()
  const checkpoint = key.sign(checkpointText({ origin: key.origin, size, root, at }))
  await ctx.home
    .insert(storeLogHeads)
    .values({ size, root: toHex(root), at, checkpoint })
    .onConflictDoNothing()
  return (await headOf(ctx, size)) as Head
}

/** The newest state that was signed. */
export async function newestHead(ctx: Context): Promise<Head | undefined> {
  const [head] = await ctx.home.select().from(storeLogHeads).orderBy(desc(storeLogHeads.size)).limit(1)
  return head
}

export async function headOf(ctx: Context, size: number): Promise<Head | undefined> {
  const [head] = await ctx.home.select().from(storeLogHeads).where(eq(storeLogHeads.size, size))
  return head
}
