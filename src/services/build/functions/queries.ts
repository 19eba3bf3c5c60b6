import { and, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { projectOf } from '../../ground/projects/public.ts'
import { functionErrors } from './contract.ts'
import type { Runnable } from './pool/runtime.ts'
import { latest } from './rules.ts'
import { functionAliases, functions, functionVersions } from './tables.ts'

export type FunctionRow = typeof functions.$inferSelect
export type VersionRow = typeof functionVersions.$inferSelect

/** A project of the caller's team whose data stays in the zone of the call. */
export async function projectHere(ctx: Context, projectId: string) {
  ctx.assertScope({ projectId })
  const project = await projectOf(ctx, projectId)
  return project.zone === ctx.zone ? project : refuse(commonErrors.zoneInvalid)
}

/** A function of the caller's team that he reaches. Refuses 404. */
export async function loadFunction(ctx: Context, functionId: string, lock = false): Promise<FunctionRow> {
  const query = ctx.db
    .select()
    .from(functions)
    .where(and(eq(functions.functionId, functionId), eq(functions.teamId, ctx.teamId)))
  const [row] = await (lock ? query.for('update') : query)
  if (!row) refuse(commonErrors.notFound, { entity: 'function', id: functionId })
  ctx.assertScope({ projectId: row.projectId })
  return row
}

/** A function by its name in a project. Refuses 404. */
export async function functionNamed(ctx: Context, projectId: string, name: string): Promise<FunctionRow> {
  const [row] = await ctx.db
    .select()
    .from(functions)
    .where(and(eq(functions.projectId, projectId), eq(functions.functionName, name)))
  return row ?? refuse(functionErrors.noFunction, { name })
}

export async function versionRow(ctx: Context, functionId: string, version: string): Promise<VersionRow> {
  const number = /^[1-9][0-9]{0,8}$/.test(version) ? Number(version) : 0
  const [row] = await ctx.db
    .select()
    .from(functionVersions)
    .where(and(eq(functionVersions.functionId, functionId), eq(functionVersions.version, number)))
  return row ?? refuse(functionErrors.noVersion, { qualifier: version })
}

/** Refuses 404 where a function has no such version or alias. */
export async function assertQualifier(ctx: Context, functionId: string, qualifier: string): Promise<void> {
  if (qualifier === latest) return
  if (/^[0-9]+$/.test(qualifier)) await versionRow(ctx, functionId, qualifier)
  else await aliasRow(ctx, functionId, qualifier)
}

/** An alias by its name. Refuses 404. */
export async function aliasRow(ctx: Context, functionId: string, qualifier: string) {
  const [alias] = await ctx.db
    .select()
    .from(functionAliases)
    .where(and(eq(functionAliases.functionId, functionId), eq(functionAliases.name, qualifier)))
  return alias ?? refuse(functionErrors.noVersion, { qualifier })
}

export function runnableOf(
  ctx: Context,
  { functionId, projectId, teamId, functionName }: FunctionRow,
  version: string,
  { config, codeSha256, digest, sealedEnv }: Pick<VersionRow, 'config' | 'codeSha256' | 'digest' | 'sealedEnv'>,
): Runnable {
  const secrets = openSecrets(ctx.server, functionId, sealedEnv)
  const { zone } = ctx
  const key = `${zone} ${functionId} ${version} ${digest}`
  return { key, functionId, projectId, teamId, functionName, zone, version, config, secrets, codeSha256, digest }
}

export function openSecrets(server: Server, functionId: string, sealed: string | null): Record<string, string> {
  return sealed === null ? {} : JSON.parse(server.masterKey.open('function secrets', functionId, sealed))
}
