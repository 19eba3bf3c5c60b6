import { createReadStream } from 'node:fs'
import { and, desc, eq, ilike, inArray, lt, or } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { asker } from '../../../../server/asking.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { localObject, objectOf } from '../../../ground/files/public.ts'
import { objectUploads } from '../../../ground/files/uploads/contract.ts'
import { BadPackage, unpackedSize } from '../code/packages.ts'
import { runtimeOf } from '../pool/runtime.ts'
import { problemOf } from '../problems/rules.ts'
import { projectHere } from '../queries.ts'
import { codeRuntimeIds, limits } from '../rules.ts'
import { functionLayers } from './contract.ts'
import { layerLimits } from './rules.ts'
import { layers, layerVersions } from './tables.ts'

const { errors } = functionLayers
type LayerRow = typeof layers.$inferSelect
type VersionRow = typeof layerVersions.$inferSelect

interface Package {
  sha256: string
  sizeBytes: number
  unpackedBytes: number
}

export default implement(functionLayers, {
  listLayers: async (ctx, { query }) => {
    const { projectId, keyword, cursor, pageSize = 20 } = query
    await projectHere(ctx, projectId)
    const words = keyword?.replace(/[\\%_]/g, '\\$&')
    const matches = and(
      eq(layers.teamId, ctx.teamId),
      or(eq(layers.projectId, projectId), eq(layers.scope, 'TEAM')),
      words ? ilike(layers.name, `%${words}%`) : undefined,
    )
    const isCursor = cursor !== undefined && /^[1-9][0-9]{0,18}$/.test(cursor)
    const rows = await ctx.db
      .select()
      .from(layers)
      .where(and(matches, isCursor ? lt(layers.layerId, cursor) : undefined))
      .orderBy(desc(layers.layerId))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize)
    return {
      total: await ctx.db.$count(layers, matches),
      list: await toLayers(ctx, list),
      nextCursor: rows.length > pageSize ? (list.at(-1)?.layerId ?? null) : null,
    }
  },

  createLayer: async (ctx, { body }) => {
    const { projectId, name, fileKey, scope = 'PROJECT', runtimes = [...codeRuntimeIds], description = '' } = body
    await ctx.transact(inner => projectHere(inner, projectId))
    const taken = await takePackage(ctx, fileKey)
    return ctx.transact(async inner => {
      await lockNames(inner, projectId)
      const known = await layerNamed(inner, projectId, name)
      if (known) inner.assertScope({ projectId: known.projectId })
      if (known) return addVersion(inner, known, taken, description)
      const all = await inner.db.$count(layers, eq(layers.projectId, projectId))
      if (all >= layerLimits.layers) refuse(errors.tooMany, problemOf('manyLayers', { limit: layerLimits.layers }))
      const now = inner.now()
      const row: LayerRow = {
        ...{ layerId: inner.newId(), teamId: inner.teamId, projectId, name, scope, description, runtimes },
        ...{ lastNumber: 0, createdAt: now, updatedAt: now, revision: 1 },
      }
      await inner.db.insert(layers).values(row)
      return addVersion(inner, row, taken, description)
    })
  },

  deleteLayer: async (ctx, { params, query }) => {
    const { layerId, name } = await ownLayer(ctx, query.projectId, params.name)
    await ctx.db.select().from(layerVersions).where(eq(layerVersions.layerId, layerId)).for('update')
    await assertUnused(ctx, layerId)
    await ctx.db.delete(layerVersions).where(eq(layerVersions.layerId, layerId))
    await ctx.db.delete(layers).where(eq(layers.layerId, layerId))
    ctx.audit({ action: 'layer.delete', entity: 'layer', entityId: layerId, before: { name } })
    return {}
  },

  listLayerVersions: async (ctx, { params, query }) => {
    await projectHere(ctx, query.projectId)
    const row = (await layerNamed(ctx, query.projectId, params.name)) ?? noLayer(params.name)
    const list = await ctx.db
      .select()
      .from(layerVersions)
      .where(eq(layerVersions.layerId, row.layerId))
      .orderBy(desc(layerVersions.number))
    return { total: list.length, list: list.map(toVersion), nextCursor: null }
  },

  createLayerVersion: async (ctx, { params, query, body }) => {
    await ctx.transact(inner => ownLayer(inner, query.projectId, params.name))
    const taken = await takePackage(ctx, body.fileKey)
    return ctx.transact(async inner => {
      const row = await ownLayer(inner, query.projectId, params.name)
      return addVersion(inner, row, taken, body.description ?? '')
    })
  },

  getLayerVersion: async (ctx, { params }) => {
    const { version } = await oneVersion(ctx, params.layerId, params.number)
    return { version: toVersion(version), users: await usersOf(ctx, params.layerId, params.number) }
  },

  deleteLayerVersion: async (ctx, { params }) => {
    const { layerId, number } = params
    const { layer } = await oneVersion(ctx, layerId, number, true)
    await assertUnused(ctx, layerId, number)
    await ctx.db.delete(layerVersions).where(and(eq(layerVersions.layerId, layerId), eq(layerVersions.number, number)))
    const before = { name: layer.name, number }
    ctx.audit({ action: 'layer.deleteVersion', entity: 'layer', entityId: layerId, before })
    return {}
  },

  makeUpload: async (ctx, { body }, wire) => {
    const ask = asker(ctx, wire)
    const { urlInfo } = await ask(objectUploads, 'makeAddress', { body: { ...body, bizTag: 'tmp' } })
    const { objectId, url, method, headers, expireAt } = urlInfo
    const expiresIn = Math.max(0, Math.floor((expireAt - ctx.now()) / 1000))
    return { fileKey: objectId, uploadUrl: url, method, headers, expiresIn }
  },
})

const noLayer = (name: string): never => refuse(commonErrors.notFound, { entity: 'layer', id: name })

/** Of two that make a layer of one name at once, the second makes its next version. */
async function lockNames(ctx: Context, projectId: string): Promise<void> {
  const values = [`fn layers ${projectId}`]
  await ctx.transaction(ctx.zone).query({ text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', values })
}

/** That of the project, else one of the team. */
async function layerNamed(ctx: Context, projectId: string, name: string): Promise<LayerRow | undefined> {
  const isReached = or(eq(layers.projectId, projectId), eq(layers.scope, 'TEAM'))
  const rows = await ctx.db
    .select()
    .from(layers)
    .where(and(eq(layers.teamId, ctx.teamId), eq(layers.name, name), isReached))
    .orderBy(desc(layers.layerId))
  return rows.find(one => one.projectId === projectId) ?? rows[0]
}

/** One to be changed: whoever changes it reaches the project that it was made in. */
async function ownLayer(ctx: Context, projectId: string, name: string): Promise<LayerRow> {
  await projectHere(ctx, projectId)
  const row = (await layerNamed(ctx, projectId, name)) ?? noLayer(name)
  ctx.assertScope({ projectId: row.projectId })
  return row
}

async function oneVersion(ctx: Context, layerId: string, number: number, lock = false) {
  const [layer] = await ctx.db
    .select()
    .from(layers)
    .where(and(eq(layers.layerId, layerId), eq(layers.teamId, ctx.teamId)))
  if (!layer) return noLayer(layerId)
  if (layer.scope === 'PROJECT' || lock) ctx.assertScope({ projectId: layer.projectId })
  const isIt = and(eq(layerVersions.layerId, layerId), eq(layerVersions.number, number))
  const query = ctx.db.select().from(layerVersions).where(isIt)
  const [version] = await (lock ? query.for('update') : query)
  return version ? { layer, version } : refuse(errors.noLayer, { layer: layer.name, number })
}

/** Keeps the bytes of an upload as a package, once it is known that it can be unpacked. */
async function takePackage(ctx: Context, fileKey: string): Promise<Package> {
  const object = await ctx.transact(inner => objectOf(inner, fileKey))
  if (object.sizeBytes > limits.zipBytes) refuse(errors.tooLarge, { bytes: object.sizeBytes, limit: limits.zipBytes })
  const local = await ctx.transact(inner => localObject(inner, fileKey))
  try {
    const unpackedBytes = await unpackedSize(local.path)
    const { sha256, sizeBytes } = await ctx.server
      .bytes(ctx.zone, 'functions')
      .put(createReadStream(local.path), { limitBytes: limits.zipBytes })
    await runtimeOf(ctx.server).folderOf(ctx.zone, sha256)
    return { sha256, sizeBytes, unpackedBytes }
  } catch (error) {
    if (error instanceof BadPackage) refuse(errors.badPackage, error.problem)
    throw error
  } finally {
    await local.release()
  }
}

async function addVersion(ctx: Context, { layerId, name }: LayerRow, taken: Package, description: string) {
  const [row] = await ctx.db.select().from(layers).where(eq(layers.layerId, layerId)).for('update')
  if (!row) return noLayer(name)
  const { teamId, lastNumber } = row
  const isNewest = and(eq(layerVersions.layerId, layerId), eq(layerVersions.number, lastNumber))
  const [newest] = await ctx.db.select().from(layerVersions).where(isNewest)
  if (newest?.sha256 === taken.sha256) {
    const [layer] = await toLayers(ctx, [row])
    return { layer: layer!, version: toVersion(newest) }
  }
  const all = await ctx.db.$count(layerVersions, eq(layerVersions.layerId, layerId))
  if (all >= layerLimits.versions)
    refuse(errors.tooMany, problemOf('manyLayerVersions', { limit: layerLimits.versions }))
  const number = lastNumber + 1
  const now = ctx.now()
  const version: VersionRow = {
    ...{ layerId, teamId, number, description, ...taken },
    ...{ createdAt: now, createdBy: ctx.caller.accountId },
  }
  await ctx.db.insert(layerVersions).values(version)
  const change = { lastNumber: number, updatedAt: now, revision: row.revision + 1 }
  await ctx.db.update(layers).set(change).where(eq(layers.layerId, layerId))
  const after = { name: row.name, number, sha256: taken.sha256 }
  ctx.audit({ action: 'layer.createVersion', entity: 'layer', entityId: layerId, after })
  const [layer] = await toLayers(ctx, [{ ...row, ...change }])
  return { layer: layer!, version: toVersion(version) }
}

async function toLayers(ctx: Context, rows: readonly LayerRow[]) {
  if (rows.length === 0) return []
  const ids = rows.map(one => one.layerId)
  const newest = await ctx.db
    .selectDistinctOn([layerVersions.layerId])
    .from(layerVersions)
    .where(inArray(layerVersions.layerId, ids))
    .orderBy(layerVersions.layerId, desc(layerVersions.number))
  const { rows: used } = await ctx.transaction(ctx.zone).query<{ layerId: string; count: string }>({
    text: `SELECT layer AS "layerId", count(DISTINCT function_id) AS count FROM (${usesText}) AS used
      WHERE layer = ANY($2) GROUP BY layer`,
    values: [ctx.teamId, ids],
  })
  return rows.map(row => {
    const version = newest.find(one => one.layerId === row.layerId)
    const usedBy = Number(used.find(one => one.layerId === row.layerId)?.count ?? 0)
    return { ...row, newest: version ? toVersion(version) : null, usedBy }
  })
}

/** Every use of a layer in the team's functions and their versions. */
const usesText = `SELECT f.function_id, f.function_name, '$latest' AS version, one->>'layerId' AS layer, (one->>'number')::int AS number
    FROM fn_functions f, jsonb_array_elements(coalesce(f.config->'layers', '[]')) AS one WHERE f.team_id = $1
  UNION ALL
  SELECT f.function_id, f.function_name, v.version::text, one->>'layerId', (one->>'number')::int
    FROM fn_functions f JOIN fn_versions v USING (function_id), jsonb_array_elements(coalesce(v.config->'layers', '[]')) AS one
    WHERE f.team_id = $1`

async function usersOf(ctx: Context, layerId: string, number: number | null): Promise<string[]> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ name: string }>({
    text: `SELECT DISTINCT function_name || ' ' || version AS name FROM (${usesText}) AS used
      WHERE layer = $2 AND ($3::int IS NULL OR number = $3) ORDER BY name LIMIT 50`,
    values: [ctx.teamId, layerId, number],
  })
  return rows.map(one => one.name)
}

async function assertUnused(ctx: Context, layerId: string, number: number | null = null): Promise<void> {
  const users = await usersOf(ctx, layerId, number)
  if (users.length > 0) refuse(errors.inUse, { users: users.join(', ') })
}

function toVersion({ layerId, number, description, sha256, sizeBytes, unpackedBytes, createdAt }: VersionRow) {
  const urn = `urn:loggia:layer:${layerId}:${number}`
  return { urn, number, description, digest: sha256, sizeBytes, unpackedBytes, createdAt }
}
