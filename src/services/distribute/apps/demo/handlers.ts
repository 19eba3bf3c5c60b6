import { and, eq, isNotNull } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { demoProjectOf, foundDemoProject } from '../../../ground/projects/public.ts'
import type { AppRecord } from '../queries.ts'
import { apps } from '../tables.ts'
import { demoProject as contract } from './contract.ts'
import { askForData, type Demo, endOfYesterday } from './seed.ts'

const names = { zh: '演示项目', en: 'Demo project' } as const
const appName = { zh: '演示应用', en: 'Demo app' } as const

export default implement(contract, {
  getDemoProject: async ctx => {
    const project = await demoProjectOf(ctx)
    const app = await demoAppOf(ctx)
    return { demo: project && app ? answer(project.name, app) : null }
  },

  makeDemoProject: async ctx => {
    ctx.assertScope({})
    // Two who ask at once wait for each other and get the same.
    await ctx.transaction(ctx.zone).query('SELECT pg_advisory_xact_lock(2011, hashtext($1))', [ctx.teamId])
    const { language } = ctx.place
    const project = await foundDemoProject(ctx, names[language])
    const app = (await demoAppOf(ctx)) ?? (await makeApp(ctx, project.projectId, language))
    return answer(project.name, app)
  },
})

async function demoAppOf(ctx: Context): Promise<AppRecord | undefined> {
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

function answer(name: string, { projectId, appId, demo, createdAt }: AppRecord) {
  return { projectId, appId, name, dataUntil: demo?.until ?? 0, createdAt }
}
