import { randomBytes } from 'node:crypto'
import { and, asc, desc, eq, isNull } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { makeKey } from '../api/keys.ts'
import { loadForChange, loadProject, type ProjectRow } from '../queries.ts'
import { standingOf } from '../services/queries.ts'
import { configFiles, projectApiKeys, projectApps } from '../tables.home.ts'
import { agconnectServices } from './agconnect-services.ts'
import { openClientSecret, tellClientEnded } from './app-client.ts'
import { projectConfigFiles as contract } from './contract.ts'

const fileName = 'agconnect-services.json'
const sealed = 'projects config file'

const handlers: Handlers<typeof contract> = {
  listConfigFiles: async (ctx, { query }) => {
    const project = await loadProject(ctx, query.projectId)
    const list = await filesOf(ctx, project)
    return { total: list.length, list, without: await appsWithout(ctx, project) }
  },

  makeConfigFile: async (ctx, { body }) => {
    const { projectId, appId } = body
    const project = await loadForChange(ctx, projectId)
    await loadApp(ctx, projectId, appId)
    const before = (await filesOf(ctx, project)).find(one => one.appId === appId)
    const packageName = body.packageName ?? before?.packageName
    if (packageName === undefined) refuse(contract.errors.packageNameNeeded, { appId })
    if (before) {
      await ctx.home
        .update(configFiles)
        .set({ packageName, zone: project.zone })
        .where(eq(configFiles.configFileId, before.configFileId))
    } else await makeFile(ctx, project, appId, packageName)
    const made = (await filesOf(ctx, project)).find(one => one.appId === appId) ?? refuse(commonErrors.internal)
    const after = { projectId, appId, zone: made.zone }
    ctx.audit({ action: 'project.config_file', entity: 'configFile', entityId: made.configFileId, after }, 'home')
    return made
  },

  downloadConfigFile: async (ctx, { query }) => {
    const project = await loadProject(ctx, query.projectId)
    const row = await loadFile(ctx, query)
    const { enabled } = await standingOf(ctx, project)
    const { masterKey, config } = ctx.server
    const { teamId, projectId, appId, packageName, clientId, configFileId } = row
    const text = JSON.stringify(
      agconnectServices({
        teamId,
        projectId,
        appId,
        packageName,
        clientId,
        clientSecret: openClientSecret(masterKey, row),
        apiKey: masterKey.open(sealed, `key ${configFileId}`, row.sealedKey),
        zone: row.zone,
        served: config.zones,
        publicUrl: config.publicUrl,
        enabled,
      }),
      null,
      2,
    )
    await ctx.home
      .update(configFiles)
      .set({ downloadedAt: ctx.now() })
      .where(eq(configFiles.configFileId, configFileId))
    ctx.audit({ action: 'project.config_file_read', entity: 'configFile', entityId: configFileId }, 'home')
    return {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="${fileName}"`,
        'cache-control': 'no-store',
      },
      body: text,
    }
  },

  deleteConfigFile: async (ctx, { query }) => {
    await loadForChange(ctx, query.projectId)
    const { configFileId, keyId, appId, clientId } = await loadFile(ctx, query)
    tellClientEnded(ctx, { clientId })
    await ctx.home.delete(configFiles).where(eq(configFiles.configFileId, configFileId))
    await ctx.home
      .update(projectApiKeys)
      .set({ state: 'REVOKED', formerHash: null, updatedAt: ctx.now() })
      .where(and(eq(projectApiKeys.keyId, keyId), eq(projectApiKeys.teamId, ctx.teamId)))
    ctx.audit(
      { action: 'project.config_file_deleted', entity: 'configFile', entityId: configFileId, before: { appId } },
      'home',
    )
    return {}
  },
}

export default implement(contract, handlers)

async function makeFile(ctx: Context, { projectId, zone }: ProjectRow, appId: string, packageName: string) {
  const configFileId = ctx.newId()
  const { masterKey } = ctx.server
  const { apiKey, keyId } = await makeKey(ctx, { projectId, name: `${fileName} ${appId}`, packageNames: [packageName] })
  await ctx.home.insert(configFiles).values({
    configFileId,
    projectId,
    teamId: ctx.teamId,
    appId,
    packageName,
    clientId: ctx.newId(),
    sealedSecret: masterKey.seal(sealed, `secret ${configFileId}`, randomBytes(32).toString('hex')),
    keyId,
    sealedKey: masterKey.seal(sealed, `key ${configFileId}`, apiKey),
    zone,
    createdBy: ctx.accountId,
    createdAt: ctx.now(),
  })
}

async function loadApp(ctx: Context, projectId: string, appId: string): Promise<void> {
  const [app] = await ctx.home
    .select({ appId: projectApps.appId })
    .from(projectApps)
    .where(
      and(
        eq(projectApps.appId, appId),
        eq(projectApps.projectId, projectId),
        eq(projectApps.teamId, ctx.teamId),
        eq(projectApps.hasEnded, false),
      ),
    )
  if (!app) refuse(contract.errors.appElsewhere, { appId })
}

async function appsWithout(ctx: Context, { projectId }: ProjectRow) {
  const rows = await ctx.home
    .select({ appId: projectApps.appId, appName: projectApps.name })
    .from(projectApps)
    .leftJoin(configFiles, eq(configFiles.appId, projectApps.appId))
    .where(
      and(
        eq(projectApps.projectId, projectId),
        eq(projectApps.teamId, ctx.teamId),
        eq(projectApps.hasEnded, false),
        isNull(configFiles.configFileId),
      ),
    )
    .orderBy(desc(projectApps.appId))
    .limit(100)
  return rows
}

async function loadFile(ctx: Context, wanted: { projectId: string; configFileId: string }) {
  const [row] = await ctx.home
    .select()
    .from(configFiles)
    .where(
      and(
        eq(configFiles.configFileId, wanted.configFileId),
        eq(configFiles.projectId, wanted.projectId),
        eq(configFiles.teamId, ctx.teamId),
      ),
    )
  return row ?? refuse(commonErrors.notFound, { entity: 'config file', id: wanted.configFileId })
}

async function filesOf(ctx: Context, { projectId, zone }: ProjectRow) {
  const rows = await ctx.home
    .select({ file: configFiles, appName: projectApps.name, keyPrefix: projectApiKeys.prefix })
    .from(configFiles)
    .leftJoin(projectApps, eq(projectApps.appId, configFiles.appId))
    .leftJoin(projectApiKeys, eq(projectApiKeys.keyId, configFiles.keyId))
    .where(and(eq(configFiles.projectId, projectId), eq(configFiles.teamId, ctx.teamId)))
    .orderBy(asc(configFiles.configFileId))
  return rows.map(({ file, appName, keyPrefix }) => ({
    ...file,
    fileName,
    appName: appName ?? '',
    keyPrefix: keyPrefix ?? '',
    isStale: file.zone !== zone,
  }))
}
