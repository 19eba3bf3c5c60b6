import { createHash } from 'node:crypto'
import { and, eq, inArray, isNull, lt, max, or } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { type Context, systemContext } from '../../../../../server/context.ts'
import type { Server } from '../../../../../server/server.ts'
import { noSuchFile } from '../../asked.ts'
import { storeRecords, storeRepositories } from '../../tables.home.ts'
import { type IndexedApp, indexV1, type RepositoryFacts } from '../index-v1.ts'
import { entryOf, indexV2 } from '../index-v2.ts'
import { indexedAppsOfTeam } from '../indexed-apps.ts'
import { signedJar } from '../jar.ts'
import { signingKeyOf } from '../signing-key.ts'

export type Group = typeof storeRepositories.$inferSelect

/** What is kept of a secret. */
export function digestOf(server: Server, secret: string): string {
  return server.masterKey.sign('store repository', secret)
}

export function groupAddress(server: Server, secret: string): string {
  return `${server.config.publicUrl}/fdroid/group/${secret}/repo`
}

/** The group that a secret opens. Refuses 404, the same for one that was never there, was revoked or rotated. */
export async function groupOf(ctx: Context, request: FastifyRequest, secret: string): Promise<Group> {
  // Whoever writes the address of a request into a log must not find the secret there.
  request.raw.url = '/fdroid/group/-/repo'
  const system = systemContext(ctx.server, ctx.zone, { name: 'store repository' })
  const [group] = await system.transact(inner =>
    inner.home
      .select()
      .from(storeRepositories)
      .where(
        and(eq(storeRepositories.tokenDigest, digestOf(ctx.server, secret)), eq(storeRepositories.state, 'ACTIVE')),
      ),
  )
  return group ?? noSuchFile('-')
}

export interface GroupFile {
  bytes: Buffer
  etag: string
  mime: string
}
export interface GroupIndex {
  timestamp: number
  files: ReadonlyMap<string, GroupFile>
}

const keptIndexes = 50
const kept = new WeakMap<Server, Map<string, Promise<GroupIndex>>>()

/**
 * The signed files of a group. They are made when they are asked for, for they hold the address with its secret, and that is
 * kept nowhere; the same rows give the same bytes on every process. A group has a hundred apps at most.
 */
export async function groupIndexOf(ctx: Context, group: Group, secret: string): Promise<GroupIndex> {
  const system = systemContext(ctx.server, ctx.zone, { name: 'store repository' })
  const timestamp = await system.transact(async inner => {
    await noteUse(inner, group)
    const [changed] = await inner.home
      .select({ at: max(storeRecords.changedAt) })
      .from(storeRecords)
      .where(inArray(storeRecords.appId, group.appIds))
    return Math.max(group.updatedAt, Number(changed?.at ?? 0))
  })
  return keptIndex(ctx.server, `${group.tokenDigest} ${timestamp}`, () =>
    system.transact(async inner => {
      const apps = await indexedAppsOfTeam(inner, group.teamId, group.appIds)
      return indexFilesOf(inner, apps, { address: groupAddress(inner.server, secret), name: group.name, timestamp })
    }),
  )
}

/** The files of an index, made once for as long as they are asked for. */
export async function keptIndex(server: Server, key: string, make: () => Promise<GroupIndex>): Promise<GroupIndex> {
  const indexes = kept.get(server) ?? new Map<string, Promise<GroupIndex>>()
  kept.set(server, indexes)
  let index = indexes.get(key)
  if (!index) {
    index = make()
    index.catch(() => indexes.delete(key))
    indexes.set(key, index)
    if (indexes.size > keptIndexes) indexes.delete(indexes.keys().next().value as string)
  }
  return index
}

/** Both formats of the index of a few apps, and what is signed of them. */
export async function indexFilesOf(
  ctx: Context,
  apps: readonly IndexedApp[],
  facts: RepositoryFacts,
): Promise<GroupIndex> {
  const { timestamp } = facts
  const key = await signingKeyOf(ctx.server)
  const v2 = Buffer.from(indexV2(apps, facts))
  const index = { name: '/index-v2.json', sha256: sha256(v2), size: v2.length, numPackages: apps.length }
  const entry = Buffer.from(entryOf(timestamp, index, {}))
  const v1 = await signedJar('index-v1.json', Buffer.from(indexV1(apps, facts)), key)
  const file = (bytes: Buffer, mime: string): GroupFile => ({ bytes, etag: `"${sha256(bytes)}"`, mime })
  const [json, jar] = ['application/json', 'application/java-archive']
  const files = new Map([
    ['index-v1.jar', file(v1, jar)],
    ['index-v2.json', file(v2, json)],
    ['entry.json', file(entry, json)],
    ['entry.jar', file(await signedJar('entry.json', entry, key), jar)],
  ])
  return { timestamp, files }
}

const hourMs = 3_600_000

async function noteUse(ctx: Context, { repositoryId }: Group): Promise<void> {
  const hour = Math.floor(ctx.now() / hourMs) * hourMs
  await ctx.home
    .update(storeRepositories)
    .set({ usedAt: hour })
    .where(
      and(
        eq(storeRepositories.repositoryId, repositoryId),
        or(isNull(storeRepositories.usedAt), lt(storeRepositories.usedAt, hour)),
      ),
    )
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
