import { ne, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { emojiIn } from '../../../kernel/text.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import { projectOf } from '../../ground/projects/public.ts'
import { apps as contract } from './contract.ts'
import { isGameKind, isTag } from './kinds.ts'
import { type AppRecord, claimPackageName } from './queries.ts'
import { isPackageName, limits, type PackageType, packageNameRule } from './rules.ts'
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

/** Registers an app in a project, with its package name reserved in the whole store. */
export async function createApp(ctx: Context, wish: NewApp): Promise<AppRecord> {
  const project = await projectOf(ctx, wish.projectId)
  if (project.zone !== ctx.zone) refuse(commonErrors.notFound, { entity: 'project', id: wish.projectId })
  const isGame = wish.isGame ?? (wish.kindMainTag !== undefined && isGameKind(wish.kindMainTag))
  checkKinds(isGame, wish)
  const emoji = emojiIn(wish.name)
  if (emoji.count > 0) throw badField('/name', 'emoji', `A name has no emoji; take out ${emoji.shown}`)
  if (wish.packageName !== undefined) checkPackageName(wish.packageType, wish.packageName)
  await checkNumber(ctx)
  const now = ctx.now()
  const row = {
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
  const [app] = await ctx.db.insert(apps).values(row).returning()
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

/** The limit of the team; creations of one team wait for each other, so it holds under a race. */
async function checkNumber(ctx: Context): Promise<void> {
  await ctx.db.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`apps of ${ctx.teamId}`}))`)
  const count = await ctx.db.$count(apps, sql`${apps.teamId} = ${ctx.teamId} AND ${ne(apps.state, 'DELETED')}`)
  if (count >= limits.appsOfTeam) refuse(errors.tooManyApps, { limit: limits.appsOfTeam })
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
