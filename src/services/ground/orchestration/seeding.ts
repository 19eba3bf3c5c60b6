import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { processChannel } from './active-processes.ts'
import { digestOf, shippedDefinitions } from './shipped.ts'
import { processVersions as versions } from './tables.home.ts'

/**
 * Puts the definitions of the program into the home database: version 1 at first; a changed one as a new version, which is
 * active at once unless staff have published their own or retired it. Every process does so when it starts; a lock lets one.
 */
export async function seedProcesses(ctx: Context): Promise<void> {
  await ctx.home.execute(sql`SELECT pg_advisory_xact_lock(113)`)
  const known = await ctx.home
    .select({
      name: sql<string>`${versions.definitionId} || '/' || ${versions.processId}`,
      versionId: versions.versionId,
      version: versions.version,
      state: versions.state,
      origin: versions.origin,
      digest: versions.digest,
    })
    .from(versions)
    .orderBy(desc(versions.version))
  const fresh: (typeof versions.$inferInsert)[] = []
  const replaced: string[] = []
  for (const definition of shippedDefinitions) {
    const { definitionId, processId } = definition
    const ofName = known.filter(one => one.name === `${definitionId}/${processId}`)
    const digest = digestOf(definition)
    if (ofName.some(one => one.origin === 'shipped' && one.digest === digest)) continue
    const active = ofName.find(one => one.state === 'active')
    const isActive = ofName.length === 0 || active?.origin === 'shipped'
    if (active && isActive) replaced.push(active.versionId)
    fresh.push({
      versionId: ctx.newId(),
      definitionId,
      processId,
      version: (ofName[0]?.version ?? 0) + 1,
      state: isActive ? 'active' : 'retired',
      origin: 'shipped',
      digest,
      body: definition as unknown as Record<string, unknown>,
      note: '',
      createdBy: null,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    })
  }
  if (replaced.length > 0) {
    await ctx.home
      .update(versions)
      .set({ state: 'retired', updatedAt: ctx.now(), revision: sql`${versions.revision} + 1` })
      .where(and(inArray(versions.versionId, replaced), eq(versions.state, 'active')))
  }
  if (fresh.length === 0) return
  await ctx.home.insert(versions).values(fresh)
  ctx.signal('home', processChannel, 'shipped')
}
