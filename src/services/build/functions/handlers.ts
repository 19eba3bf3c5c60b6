import { and, asc, desc, eq, ilike, lt, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { implement } from '../../../server/implement.ts'
import { forgetCanaries } from './canary/queries.ts'
import { codeIn, downloadOf } from './code/downloading.ts'
import { readFiles } from './code/packages.ts'
import { functionErrors, functionsIde } from './contract.ts'
import { changeFunction, createFunction } from './deploying.ts'
import type { EngineCapability } from './engine/port.ts'
import { forgetQualifier, tellControls } from './governance/controls.ts'
import { copiesOf } from './pool/copies.ts'
import { runtimeOf } from './pool/runtime.ts'
import { problemOf } from './problems/rules.ts'
import { type FunctionRow, functionNamed, loadFunction, openSecrets, projectHere, versionRow } from './queries.ts'
import { latest, limits, runtimes, usualRuntime } from './rules.ts'
import { functionAliases, functions, functionVersions } from './tables.ts'
import { tablesOfFunction } from './tables-of-function.ts'
import { triggersTo } from './triggers/queries.ts'

export default implement(functionsIde, {
  listFunctions: async (ctx, { query }) => {
    const { projectId, keyword, cursor, pageSize = 20 } = query
    await projectHere(ctx, projectId)
    const words = keyword?.replace(/[\\%_]/g, '\\$&')
    const matches = and(
      eq(functions.projectId, projectId),
      eq(functions.teamId, ctx.teamId),
      words ? ilike(functions.functionName, `%${words}%`) : undefined,
    )
    const isCursor = cursor !== undefined && /^[1-9][0-9]{0,18}$/.test(cursor)
    const rows = await ctx.db
      .select()
      .from(functions)
      .where(and(matches, isCursor ? lt(functions.functionId, cursor) : undefined))
      .orderBy(desc(functions.functionId))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize)
    return {
      total: await ctx.db.$count(functions, matches),
      list: await Promise.all(list.map(row => toFunction(ctx, row))),
      nextCursor: rows.length > pageSize ? (list.at(-1)?.functionId ?? null) : null,
    }
  },

  getFunction: async (ctx, { params }) => ({
    function: await toFunction(ctx, await loadFunction(ctx, params.functionId)),
  }),

  listVersions: async (ctx, { params, query }) => {
    await projectHere(ctx, query.projectId)
    const row = await functionNamed(ctx, query.projectId, params.name)
    const { functionId, config, codeSha256, codeBytes, description } = row
    const published = await ctx.db
      .select()
      .from(functionVersions)
      .where(eq(functionVersions.functionId, functionId))
      .orderBy(desc(functionVersions.version))
    const aliases = await ctx.db.select().from(functionAliases).where(eq(functionAliases.functionId, functionId))
    const namesOf = (version: string) =>
      aliases.filter(one => one.version === version || one.additional?.version === version).map(one => one.name)
    const newest = {
      version: latest,
      description,
      config,
      codeSha256,
      codeBytes,
      publishedAt: null,
      aliases: namesOf(latest),
    }
    const list = [
      newest,
      ...published.map(one => ({ ...one, version: String(one.version), aliases: namesOf(String(one.version)) })),
    ]
    return { total: list.length, list, nextCursor: null }
  },

  createFunction: async (ctx, { body }) => made(ctx, await createFunction(ctx, body)),
  createFunctionWithCode: async (ctx, { body }) => made(ctx, await createFunction(ctx, body)),

  updateFunction: async (ctx, { params, body }) => {
    const row = await changeFunction(ctx, params.functionId, body)
    if (!row.isEnabled) runtimeOf(ctx.server).end(row.functionId)
    return { function: await ctx.transact(inner => toFunction(inner, row)) }
  },

  updateCode: async (ctx, { params, body }) => {
    const row = await changeFunction(ctx, params.functionId, body)
    return { function: await ctx.transact(inner => toFunction(inner, row)) }
  },

  publishVersion: async (ctx, { body }) => {
    const row = await loadFunction(ctx, body.functionId, true)
    const { functionId, lastVersion, digest } = row
    if (body.expectedDigest !== undefined && body.expectedDigest !== row.codeSha256)
      refuse(commonErrors.stale, { revision: row.revision })
    const before = lastVersion === 0 ? null : await versionRow(ctx, functionId, String(lastVersion)).catch(() => null)
    if (before?.digest === digest) return { version: String(lastVersion), isNew: false }
    const all = await ctx.db.$count(functionVersions, eq(functionVersions.functionId, functionId))
    if (all + 1 >= limits.versions)
      refuse(functionErrors.tooMany, problemOf('manyVersions', { limit: limits.versions - 1 }))
    const version = lastVersion + 1
    const { teamId, config, sealedEnv, codeSha256, codeBytes } = row
    await ctx.db.insert(functionVersions).values({
      ...{
        functionId,
        teamId,
        version,
        description: body.description ?? '',
        config,
        sealedEnv,
        codeSha256,
        codeBytes,
        digest,
      },
      publishedAt: ctx.now(),
      publishedBy: ctx.caller.accountId,
    })
    await ctx.db
      .update(functions)
      .set({ lastVersion: version, revision: sql`${functions.revision} + 1`, updatedAt: ctx.now() })
      .where(eq(functions.functionId, functionId))
    tellControls(ctx, functionId)
    ctx.audit({ action: 'function.publish', entity: 'function', entityId: functionId, after: { version, codeSha256 } })
    return { version: String(version), isNew: true }
  },

  deleteFunction: async (ctx, { params, query }) => {
    const row = await loadFunction(ctx, params.functionId, true)
    const { functionId } = row
    const aliases = await ctx.db.select().from(functionAliases).where(eq(functionAliases.functionId, functionId))
    if (query.version !== undefined) {
      const { version } = await versionRow(ctx, functionId, query.version)
      const leading = aliases.filter(one => [one.version, one.additional?.version].includes(String(version)))
      const users = [...leading.map(one => one.name), ...(await triggersTo(ctx, functionId, [String(version)]))]
      if (users.length > 0) refuse(functionErrors.inUse, { users: users.join(', ') })
      await ctx.db
        .delete(functionVersions)
        .where(and(eq(functionVersions.functionId, functionId), eq(functionVersions.version, version)))
      await forgetQualifier(ctx, functionId, String(version))
      ctx.audit({ action: 'function.deleteVersion', entity: 'function', entityId: functionId, before: { version } })
      return {}
    }
    if (aliases.length > 0 && query.force !== 'true')
      refuse(functionErrors.inUse, { users: aliases.map(one => one.name).join(', ') })
    await forgetCanaries(ctx, functionId)
    for (const table of tablesOfFunction) {
      await ctx.db.delete(table).where(eq(table.functionId, functionId))
    }
    tellControls(ctx, functionId)
    const { functionName, projectId } = row
    ctx.audit({
      action: 'function.delete',
      entity: 'function',
      entityId: functionId,
      before: { functionName, projectId },
    })
    ctx.signal(ctx.zone, 'functions', functionId)
    return {}
  },

  getCode: async (ctx, { query }) => {
    const { codeSha256, codeBytes } = await codeIn(ctx, query.functionId, query.version)
    const local = await ctx.server.bytes(ctx.zone, 'functions').localFile(codeSha256)
    try {
      const { files, isTruncated } = await readFiles(local.path)
      return {
        files,
        size: codeBytes,
        truncated: isTruncated,
        editable: !isTruncated && codeBytes <= limits.editorBytes,
      }
    } finally {
      await local.release()
    }
  },

  downloadCode: async (ctx, { params, query }) => {
    return downloadOf(ctx, await codeIn(ctx, params.functionId, query.version))
  },

  listPods: async (ctx, { params }) => {
    const { functionId } = await loadFunction(ctx, params.functionId)
    const list = await copiesOf(ctx.server, { functionId, versions: [params.version] })
    return { total: list.length, list, nextCursor: null }
  },

  listRuntimes: async ctx => {
    const runtime = runtimeOf(ctx.server)
    const list = await Promise.all(
      runtimes.map(async one => {
        const capabilities = await runtime.engines[one.id].capabilities()
        return { ...one, ...toFound(await runtime.support(one.id)), capabilities: capabilities.map(toFound) }
      }),
    )
    return { runtimes: list, isolation: toFound(await runtime.support(usualRuntime, 'isolation')) }
  },

  getStore: async (ctx, { query }) => {
    await projectHere(ctx, query.projectId)
    return { usedBytes: await storedBytes(ctx, query.projectId), limitBytes: limits.storeBytes }
  },

  getTenant: async (ctx, { query }) => {
    const { projectId } = query
    await projectHere(ctx, projectId)
    const used = await ctx.db.$count(functions, eq(functions.projectId, projectId))
    return {
      enabled: true,
      quotas: [
        { metric: 'functions', limit: limits.functionsOfProject, used },
        { metric: 'codeBytes', limit: limits.storeBytes, used: await storedBytes(ctx, projectId) },
      ],
    }
  },
})

function toFound({ name, isThere, lack, why, install }: EngineCapability) {
  return { name, isThere, lack: lack ?? null, why: why ?? null, install: install ?? null }
}

async function made(ctx: Context, row: FunctionRow) {
  return { functionId: row.functionId, function: await ctx.transact(inner => toFunction(inner, row)) }
}

async function toFunction(ctx: Context, row: FunctionRow) {
  const { functionId, lastVersion, digest, sealedEnv } = row
  const [newest] = await ctx.db
    .select({ digest: functionVersions.digest })
    .from(functionVersions)
    .where(and(eq(functionVersions.functionId, functionId), eq(functionVersions.version, lastVersion)))
    .orderBy(asc(functionVersions.version))
  const secretKeys = Object.keys(openSecrets(ctx.server, functionId, sealedEnv))
  return { ...row, secretKeys, latestRevision: lastVersion, hasChanges: newest?.digest !== digest }
}

/** Each package once, however many versions have it. */
async function storedBytes(ctx: Context, projectId: string): Promise<number> {
  const { rows } = await ctx.transaction(ctx.zone).query<{ bytes: string }>({
    text: `SELECT coalesce(sum(bytes), 0) AS bytes FROM (
      SELECT code_sha256, max(code_bytes) AS bytes FROM (
        SELECT code_sha256, code_bytes FROM fn_functions WHERE project_id = $1
        UNION ALL SELECT v.code_sha256, v.code_bytes FROM fn_versions v JOIN fn_functions f USING (function_id) WHERE f.project_id = $1
      ) AS every GROUP BY code_sha256) AS each_once`,
    values: [projectId],
  })
  return Number(rows[0]?.bytes ?? 0)
}
