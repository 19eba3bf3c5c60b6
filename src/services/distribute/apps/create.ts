import { and, eq, ne, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { emojiIn } from '../../../kernel/text.ts'
import type { Context } from '../../../server/context.ts'
import { planned } from '../../../server/database/planned.ts'
import { badField } from '../../../server/http/problem.ts'
import { featuresOf } from '../../ground/menu/public.ts'
import { projectOf } from '../../ground/projects/public.ts'
import { apps as contract } from './contract.ts'
import { isGameKind, isTag } from './kinds.ts'
import { type AppRecord, claimPackageName } from './queries.ts'
import { isPackageName, limits, openPackageTypes, type PackageType, packageNameRule } from './rules.ts'
import { apps, type Contact } from './tables.ts'

const { errors } = contract

export interface NewApp {
  projectId: string
  name: string
  packageType: PackageType
  packageName?: string
  isGame?: boolean
  defaultLang: string
  deviceTypes: number[]
  kindMainTag?: number
  kindSubTags?: number[]
  gameNetType?: number
  developerNameCn?: string
  developerNameEn?: string
  developerWebsite?: string
  contact?: Contact
  familyShare?: boolean
  encrypted?: boolean
}

/** The columns a new app is written with; the rest are as the table says. */
const written = [
  ...(['appId', 'teamId', 'projectId', 'packageType', 'packageName', 'defaultLang', 'name', 'isGame'] as const),
  ...(['gameNetType', 'kindMainTag', 'kindSubTags', 'deviceTypes', 'developerNameCn', 'developerNameEn'] as const),
  ...(['developerWebsite', 'contact', 'familyShare', 'encrypted', 'state', 'createdAt', 'updatedAt'] as const),
]
const insertApp = planned(db =>
  db
    .insert(apps)
    .values(Object.fromEntries(written.map(name => [name, sql.placeholder(name)])) as never)
    .returning(),
)
const countApps = planned(db =>
  db
    .select({ apps: sql<number>`count(*)::int` })
    .from(apps)
    .where(and(eq(apps.teamId, sql.placeholder('teamId')), ne(apps.state, sql.raw(`'DELETED'`)))),
)

/** Registers an app in a project, with its package name reserved in the whole store. */
export async function createApp(ctx: Context, wish: NewApp): Promise<AppRecord> {
  const project = await projectOf(ctx, wish.projectId)
  if (project.isDemo) refuse(commonErrors.demoReadOnly, { projectId: wish.projectId })
  if (project.zone !== ctx.zone) refuse(commonErrors.notFound, { entity: 'project', id: wish.projectId })
  await checkOpen(ctx, wish.packageType)
  const isGame = wish.isGame ?? (wish.kindMainTag !== undefined && isGameKind(wish.kindMainTag))
  checkKinds(isGame, wish)
  const emoji = emojiIn(wish.name)
  if (emoji.count > 0) throw badField('/name', 'emoji', `A name has no emoji; take out ${emoji.shown}`)
  if (wish.packageName !== undefined) checkPackageName(wish.packageType, wish.packageName)
  await checkNumber(ctx)
  const now = ctx.now()
  const row = {
    gameNetType: null,
    kindMainTag: null,
    developerNameCn: '',
    developerNameEn: '',
    developerWebsite: '',
    familyShare: false,
    encrypted: false,
    ...wish,
    appId: ctx.newId(),
    teamId: ctx.teamId,
    name: wish.name.trim(),
    packageName: wish.packageName ?? null,
    isGame,
    kindSubTags: wish.kindSubTags ?? [],
    contact: wish.contact ?? {},
    state: 'ACTIVE' as const,
    createdAt: now,
    updatedAt: now,
  }
  const [app] = await insertApp(ctx.transaction(ctx.zone), row)
  if (!app) throw new Error('no row came back')
  if (wish.packageName !== undefined) await claimPackageName(ctx, app, wish.packageName)
  const { projectId, name, packageType, packageName } = app
  ctx.audit({
    action: 'app.create',
    entity: 'app',
    entityId: app.appId,
    after: { state: 'ACTIVE', name, packageType, packageName },
  })
  ctx.emit({ type: 'app.created', entity: 'app', entityId: app.appId, data: { projectId, name, packageType } })
  return app
}

/** Refuses a type whose system the operator closed for new apps. */
async function checkOpen(ctx: Context, packageType: PackageType): Promise<void> {
  const open = openPackageTypes(await featuresOf(ctx))
  if (open.includes(packageType)) return
  throw badField('/packageType', 'closed', `${packageType} is closed for new apps here; open are ${open.join(', ')}`)
}

/** The limit of the team; creations of one team wait for each other, so it holds under a race. */
async function checkNumber(ctx: Context): Promise<void> {
  await ctx.transaction(ctx.zone).query({
    name: 'apps of team',
    text: 'SELECT pg_advisory_xact_lock(201, hashtext($1))',
    values: [ctx.teamId],
  })
  const [counted] = await countApps(ctx.transaction(ctx.zone), { teamId: ctx.teamId })
  if ((counted?.apps ?? 0) >= limits.appsOfTeam) refuse(errors.tooManyApps, { limit: limits.appsOfTeam })
}

/** Tags of the right tree only: those of games for a game, those of apps for an app. */
export function checkKinds(isGame: boolean, wish: { kindMainTag?: number; kindSubTags?: readonly number[] }): void {
  const wanted = [...(wish.kindMainTag === undefined ? [] : [wish.kindMainTag]), ...(wish.kindSubTags ?? [])]
  const wrong = wanted.find(kind => !isTag(kind) || isGameKind(kind) !== isGame)
  if (wrong !== undefined) {
    refuse(errors.wrongCategory, { kindMainTag: wrong, expected: isGame ? 'games' : 'apps' })
  }
}

export function checkPackageName(packageType: PackageType, packageName: string): void {
  if (isPackageName(packageType, packageName)) return
  refuse(errors.packageNameInvalid, { packageName, says: packageNameRule(packageType) })
}
