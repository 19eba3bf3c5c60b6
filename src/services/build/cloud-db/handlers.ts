import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { implement } from '../../../server/implement.ts'
import { assertProject, openDatabase, schemaChannel, typeOf, zoneOf } from './catalogue.ts'
import { cloudDb as contract } from './contract.ts'
import { changeOf, typeProblems } from './design/rules.ts'
import { keepTypeSql, keepZoneSql, noteKept, placeOf } from './kept/store.ts'
import { listenersOf } from './live/reports.ts'
import { type DataZone, quoted } from './model.ts'
import { processesOf, processOf, startIndexes } from './processes.ts'
import { databaseRow, typeRows, versionsOf } from './queries.ts'
import { deletedRows, purgeOlderThan } from './retention.ts'
import {
  assertType,
  changingSchema,
  countSchema,
  definitionsOf,
  heldDatabase,
  runAll,
  saveType,
} from './schema/apply.ts'
import { classesOf } from './schema/classes.ts'
import type { ObjectType } from './schema/contract.ts'
import { createTable, openZone } from './schema/ddl.ts'
import { notesOf } from './schema/notes.ts'
import { planChange, planCreate, planDelete } from './schema/plan.ts'
import { defaultPermissions, isZoneName, keyOf, limits } from './schema/rules.ts'
import { poolOf } from './statements.ts'
import { sizesOf, usageOf } from './use.ts'

export default implement(contract, {
  getProductInfo: async (ctx, { query }) => {
    const { projectId } = query
    const project = await assertProject(ctx, projectId)
    const row = await databaseRow(ctx, projectId)
    return {
      projectId,
      enabled: row?.isEnabled ?? false,
      region: project.zone,
      apiVersion: row?.apiVersion ?? 'v1',
      schemaVersion: row?.schemaVersion ?? 0,
      retentionDays: row?.retentionDays ?? 0,
      limits: { types: limits.types, zones: limits.zones },
      usage: { types: row?.types ?? 0, zones: row?.zones ?? 0 },
      revision: row?.revision ?? 0,
    }
  },

  switchProduct: async (ctx, { body }) => {
    const { projectId, enabled, agree, apiVersion } = body
    await assertProject(ctx, projectId)
    const before = await databaseRow(ctx, projectId)
    if (enabled && !before && !agree) refuse(contract.errors.agreeFirst)
    const { rows } = await ctx.transaction(ctx.zone).query<{ revision: number; api_version: string }>({
      text: `INSERT INTO cdb_databases (project_id, team_id, is_enabled, api_version, created_at, updated_at) VALUES ($1, $2, $3, coalesce($4, 'v1'), $5, $5)
        ON CONFLICT (project_id) DO UPDATE SET is_enabled = excluded.is_enabled, api_version = coalesce($4, cdb_databases.api_version),
          updated_at = excluded.updated_at, revision = cdb_databases.revision + 1 RETURNING revision, api_version`,
      values: [projectId, ctx.teamId, enabled, apiVersion ?? null, ctx.now()],
    })
    ctx.signal(ctx.zone, schemaChannel, projectId)
    ctx.audit({ action: 'cloudDb.switch', entity: 'project', entityId: projectId, after: { enabled } })
    ctx.emit({ type: 'clouddb.switched', entity: 'project', entityId: projectId, data: { enabled } })
    return { projectId, enabled, apiVersion: rows[0]?.api_version ?? 'v1', revision: rows[0]?.revision ?? 1 }
  },

  getSchemaVersion: async (ctx, { query }) => {
    const database = await openDatabase(ctx, query.projectId)
    return { current: database.schemaVersion, versions: await versionsOf(ctx, query.projectId) }
  },

  getObjectTypes: async (ctx, { query }) => {
    const database = await openDatabase(ctx, query.projectId)
    const rows = await typeRows(ctx, query.projectId, query.version ?? null)
    const version = query.version ?? database.schemaVersion
    if (rows === null) return refuse(commonErrors.notFound, { entity: 'schema version', id: version })
    const named = query.name === undefined ? null : keyOf(query.name)
    return { version, list: rows.filter(row => named === null || keyOf(row.objectTypeName) === named) }
  },

  createObjectType: async (ctx, { body }) => {
    const { projectId, dryRun = false } = body
    const type = withRights(body.objectType)
    return changingSchema(ctx, async inner => {
      const database = await heldDatabase(inner, projectId)
      assertType(type)
      if (database.types.has(keyOf(type.objectTypeName)))
        refuse(contract.errors.typeThere, { name: type.objectTypeName })
      if (database.types.size >= limits.types) refuse(contract.errors.tooManyTypes, { limit: limits.types })
      const { plan, statements } = planCreate(database, type)
      if (dryRun) return { version: database.schemaVersion, applied: false, plan }
      await runAll(inner, statements)
      const version = await countSchema(inner, database, [...definitionsOf(database), type], `+ ${type.objectTypeName}`)
      await saveType(inner, projectId, type, version, [])
      return { version, applied: true, plan }
    })
  },

  changeObjectType: async (ctx, { body }) => {
    const { projectId, baseVersion, dryRun = false } = body
    const type = withRights(body.objectType)
    return changingSchema(ctx, async inner => {
      const database = await heldDatabase(inner, projectId)
      if (database.schemaVersion !== baseVersion) {
        refuse(contract.errors.schemaChanged, { version: database.schemaVersion })
      }
      const before = typeOf(database, type.objectTypeName)
      assertType(type, changeOf(before.definition, type).problems)
      const { plan, statements, later } = await planChange(inner.transaction(inner.zone), database, before, type)
      if (dryRun) return { version: baseVersion, applied: false, plan, processId: null }
      await runAll(inner, statements)
      const after: ObjectType = { ...type, objectTypeName: before.name }
      const types = definitionsOf(database).map(one => (one === before.definition ? after : one))
      const version = await countSchema(inner, database, types, `~ ${before.name}`)
      await saveType(
        inner,
        projectId,
        after,
        version,
        later.map(one => one.indexName),
      )
      const processId = later.length > 0 ? await startIndexes(inner, projectId, before.name, later) : null
      return { version, applied: true, plan, processId }
    })
  },

  deleteObjectType: async (ctx, { query }) => {
    const { projectId, name, confirm, dryRun = false } = query
    return changingSchema(ctx, async inner => {
      const database = await heldDatabase(inner, projectId)
      const type = typeOf(database, name)
      const keptId = inner.newId()
      const moving = keepTypeSql(keptId, database, type)
      const { plan, statements } = await planDelete(inner.transaction(inner.zone), database, type, moving)
      if (dryRun) return { version: database.schemaVersion, applied: false, plan }
      if (confirm !== type.name) refuse(contract.errors.confirmName, { name: type.name })
      await runAll(inner, statements)
      const types = definitionsOf(database).filter(one => one !== type.definition)
      const version = await countSchema(inner, database, types, `- ${type.name}`)
      await inner.transaction(inner.zone).query({
        text: 'DELETE FROM cdb_types WHERE project_id = $1 AND name_key = $2',
        values: [projectId, type.key],
      })
      const places = [...database.zones.values()].map(zone => placeOf(keptId, zone))
      await noteKept(inner, projectId, {
        keptId,
        kind: 'TYPE',
        name: type.name,
        objectTypes: [type.definition],
        places,
      })
      return { version, applied: true, plan }
    })
  },

  getRight: async (ctx, { query }) => {
    const database = await openDatabase(ctx, query.projectId)
    const types = query.objectType === undefined ? [...database.types.values()] : [typeOf(database, query.objectType)]
    return {
      list: types.map(({ name, definition }) => ({
        objectTypeName: name,
        matrix: definition.permissions,
        effectiveNotes: notesOf(definition),
      })),
    }
  },

  importObjectType: async (ctx, { body }) => {
    const { projectId, objectTypes, permissions = [], dryRun = false } = body
    return changingSchema(ctx, async inner => {
      const database = await heldDatabase(inner, projectId)
      if (objectTypes.length === 0) refuse(contract.errors.importEmpty)
      const known = new Set(database.types.keys())
      const added: ObjectType[] = []
      const skipped: string[] = []
      const errors: { objectTypeName: string; code: number; pointer: string; message: string }[] = []
      for (const sent of objectTypes) {
        const own = permissions.find(one => keyOf(one.objectTypeName) === keyOf(sent.objectTypeName))
        const type = withRights(own ? { ...sent, permissions: own.permissions } : sent)
        if (known.has(keyOf(type.objectTypeName))) {
          skipped.push(type.objectTypeName)
          continue
        }
        const problems = typeProblems(type)
        if (known.size >= limits.types)
          problems.push({ code: 2001005, pointer: '', message: `a project has at most ${limits.types} object types` })
        if (problems.length > 0) {
          errors.push(...problems.map(one => ({ objectTypeName: type.objectTypeName, ...one })))
          continue
        }
        known.add(keyOf(type.objectTypeName))
        added.push(type)
      }
      const names = added.map(type => type.objectTypeName)
      if (dryRun || added.length === 0) return { version: database.schemaVersion, added: names, skipped, errors }
      await runAll(
        inner,
        added.flatMap(type => planCreate(database, type).statements),
      )
      const version = await countSchema(
        inner,
        database,
        [...definitionsOf(database), ...added],
        `+ ${names.join(', ')}`,
      )
      for (const type of added) await saveType(inner, projectId, type, version, [])
      return { version, added: names, skipped, errors }
    })
  },

  exportObjectType: async (ctx, { body }) => {
    const database = await openDatabase(ctx, body.projectId)
    const rows = await typeRows(ctx, body.projectId, body.version ?? null)
    if (rows === null) return refuse(commonErrors.notFound, { entity: 'schema version', id: body.version })
    const types = rows.map(({ objectTypeName, fields, indexes, permissions }) => ({
      objectTypeName,
      fields,
      indexes,
      permissions,
    }))
    const version = body.version ?? database.schemaVersion
    const { fileName, contentType, text } = classesOf(types, {
      format: body.format,
      package: body.package ?? '',
      version,
    })
    return {
      headers: {
        'content-type': contentType,
        'content-disposition': `attachment; filename="${fileName}"`,
        'x-content-type-options': 'nosniff',
      },
      body: text,
    }
  },

  listZones: async (ctx, { query }) => {
    const database = await openDatabase(ctx, query.projectId)
    return { list: await sizesOf(ctx, database) }
  },

  createZone: async (ctx, { body }) => {
    const { projectId, name } = body
    return changingSchema(ctx, async inner => {
      const database = await heldDatabase(inner, projectId)
      if (!isZoneName(name)) refuse(contract.errors.zoneName, { name, limit: limits.zoneNameLength })
      if (database.zones.has(keyOf(name))) refuse(contract.errors.zoneThere, { name })
      if (database.zones.size >= limits.zones) refuse(contract.errors.tooManyZones, { limit: limits.zones })
      const schemaName = `cdb_${BigInt(projectId).toString(36)}_${keyOf(name)}`
      const zone: DataZone = { zoneId: inner.newId(), name, key: keyOf(name), schema: quoted(schemaName) }
      await runAll(inner, [...openZone(zone), ...[...database.types.values()].flatMap(type => createTable(zone, type))])
      await inner.transaction(inner.zone).query({
        text: `INSERT INTO cdb_zones (zone_id, project_id, team_id, name, name_key, schema_name, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        values: [zone.zoneId, projectId, inner.teamId, name, zone.key, schemaName, inner.now()],
      })
      inner.signal(inner.zone, schemaChannel, projectId)
      inner.audit({ action: 'cloudDb.zone_create', entity: 'project', entityId: projectId, after: { name } })
      return { zoneId: zone.zoneId, name }
    })
  },

  deleteZone: async (ctx, { query }) => {
    const { projectId, name, confirm } = query
    return changingSchema(ctx, async inner => {
      const database = await heldDatabase(inner, projectId)
      const zone = zoneOf(database, name)
      if (confirm !== zone.name) refuse(contract.errors.confirmName, { name: zone.name })
      const keptId = inner.newId()
      await runAll(inner, keepZoneSql(keptId, database, zone))
      const objectTypes = definitionsOf(database)
      const places = [placeOf(keptId, zone)]
      await noteKept(inner, projectId, { keptId, kind: 'ZONE', name: zone.name, objectTypes, places })
      await inner
        .transaction(inner.zone)
        .query({ text: 'DELETE FROM cdb_zones WHERE zone_id = $1', values: [zone.zoneId] })
      inner.signal(inner.zone, schemaChannel, projectId)
      inner.audit({
        action: 'cloudDb.zone_delete',
        entity: 'project',
        entityId: projectId,
        before: { name: zone.name },
      })
      return { name: zone.name }
    })
  },

  getProcessPercentage: async (ctx, { body }) => {
    await openDatabase(ctx, body.projectId)
    return processOf(ctx, body.projectId, body.processId)
  },

  listProcesses: async (ctx, { query }) => {
    await openDatabase(ctx, query.projectId)
    return { list: await processesOf(ctx, query.projectId) }
  },

  fetchDataUsage: async (ctx, { query }) => usageOf(ctx, await openDatabase(ctx, query.projectId), query.days ?? 30),

  getRetentionPeriod: async (ctx, { query }) => {
    const database = await openDatabase(ctx, query.projectId)
    const row = await databaseRow(ctx, query.projectId)
    const days = database.retentionDays
    return {
      enabled: days > 0,
      days,
      deletedRows: await deletedRows(poolOf(ctx.server, ctx.zone), database),
      revision: row?.revision ?? 1,
    }
  },

  setRetentionPeriod: async (ctx, { body }) => {
    const database = await heldDatabase(ctx, body.projectId)
    const row = await databaseRow(ctx, body.projectId)
    if (body.revision !== undefined && row && body.revision !== row.revision)
      refuse(commonErrors.stale, { revision: row.revision })
    const days = body.enabled ? (body.days ?? limits.usualRetentionDays) : 0
    return { enabled: days > 0, days, ...(await shorten(ctx, database, days, body.confirm)) }
  },

  listListeners: async (ctx, { query }) => {
    await openDatabase(ctx, query.projectId)
    return listenersOf(ctx, query.projectId)
  },
})

async function shorten(
  ctx: Context,
  database: Awaited<ReturnType<typeof heldDatabase>>,
  days: number,
  confirm: number | undefined,
) {
  const run = ctx.transaction(ctx.zone)
  const purged = await purgeOlderThan(run, database, days, ctx.now(), confirm)
  const { rows } = await run.query<{ revision: number }>({
    text: 'UPDATE cdb_databases SET retention_days = $2, updated_at = $3, revision = revision + 1 WHERE project_id = $1 RETURNING revision',
    values: [database.projectId, days, ctx.now()],
  })
  ctx.signal(ctx.zone, schemaChannel, database.projectId)
  ctx.audit({ action: 'cloudDb.retention', entity: 'project', entityId: database.projectId, after: { days, purged } })
  return { purged, revision: rows[0]?.revision ?? 1 }
}

/** A type that says nothing of rights has the usual ones; without World and Authenticated where a field is encrypted. */
function withRights(type: ObjectType): ObjectType {
  if (type.permissions.length > 0) return type
  const isLocked = type.fields.some(field => field.isNeedEncrypt)
  const permissions = defaultPermissions.map(one =>
    isLocked && (one.role === 'World' || one.role === 'Authenticated') ? { ...one, rights: [] } : one,
  )
  return { ...type, permissions: permissions.map(one => ({ role: one.role, rights: [...one.rights] })) }
}
