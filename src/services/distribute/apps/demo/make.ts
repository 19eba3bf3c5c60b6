import { and, eq, isNotNull } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { foundDemoProject } from '../../../ground/projects/public.ts'
import type { AppRecord } from '../queries.ts'
import { apps } from '../tables.ts'
import { askForData, type Demo, endOfYesterday } from './seed.ts'

const names = { zh: '演示项目', en: 'Demo project' } as const
const appName = { zh: '演示应用', en: 'Demo app' } as const

/** The demo project of the team of the call in its zone and the app in it, made unless they are there. */
export async function makeDemo(ctx: Context, createdBy: string): Promise<{ name: string; app: AppRecord }> {
  // Two who ask at once wait for each other and get the same.
  await ctx.transaction(ctx.zone).query('SELECT pg_advisory_xact_lock(2011, hashtext($1))', [ctx.teamId])
  const { language } = ctx.place
  const { name, projectId } = await foundDemoProject(ctx, names[language], createdBy)
  return { name, app: (await demoAppOf(ctx)) ?? (await makeApp(ctx, projectId, language)) }
}

export async function demoAppOf(ctx: Context): Promise<AppRecord | undefined> {
  const [app] = await ctx.db
    .select()
    .from(apps)
    .where(and(eq(apps.teamId, ctx.teamId), isNotNull(apps.demo)))
  return app
}

async function makeApp(ctx: Context, projectId: string, language: 'zh' | 'en'): Promise<AppRecord> {
  const now = ctx.now()
  const demo: Demo = { versionIds: [ctx.newId(), ctx.newId()], until: endOfYesterday(now) }
  const shelf = {
    versionId: demo.versionIds[1],
    pkgId: null,
    versionCode: '12',
    versionName: '1.2',
    signers: [],
    at: now - 14 * 86_400_000,
  }
  const [app] = await ctx.db
    .insert(apps)
    .values({
      appId: ctx.newId(),
      teamId: ctx.teamId,
      projectId,
      packageType: 'ANDROID',
      defaultLang: language === 'zh' ? 'zhCN' : 'enUS',
      name: appName[language],
      isGame: false,
      kindMainTag: 10101,
      kindSubTags: [],
      deviceTypes: [4],
      contact: {},
      state: 'ACTIVE',
      demo,
      shelf,
      lastShelf: shelf,
      firstShelfAt: now - 30 * 86_400_000,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  if (!app) throw new Error('no row came back')
  const { appId, name, packageType } = app
  ctx.audit({ action: 'app.create', entity: 'app', entityId: appId, after: { state: 'ACTIVE', name, isDemo: true } })
  ctx.emit({ type: 'app.created', entity: 'app', entityId: appId, data: { projectId, name, packageType } })
  askForData(ctx, app, demo)
  return app
}
