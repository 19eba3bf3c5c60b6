import { and, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { emojiIn } from '../../../../kernel/text.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { holdObjects, objectOf, releaseObjects } from '../../../ground/files/public.ts'
import { listingLanguages } from '../../apps/contract.ts'
import { type AppRow, recordFace } from '../../apps/public.ts'
import { moveVersion, mustBeEditable } from '../moves.ts'
import { imageIdsOf, type ListingRecord, loadLocked, type VersionRecord } from '../queries.ts'
import { type DeviceScreenshots, type ListingImage, listings } from '../tables.ts'
import { versionListings as contract } from './contract.ts'
import { newFilm } from './film.ts'
import { filmCoverRule, type ImageRule, iconRuleOf, imageMisfit, screenshotRuleOf } from './rules.ts'

const { errors } = contract

export interface ListingWish {
  versionId: string
  lang: string
  appName?: string
  briefInfo?: string
  appDesc?: string
  newFeatures?: string
  iconObjectId?: string | null
  screenshots?: readonly { deviceType: number; showType: number; objectIds: readonly string[] }[]
  filmObjectId?: string | null
  filmCoverObjectId?: string | null
}

/** Writes the listing in one language: checks texts and images, holds what is new, lets go of what is replaced. */
export async function saveListing(ctx: Context, wish: ListingWish) {
  const { app, version } = await loadLocked(ctx, wish.versionId)
  mustBeEditable(ctx, version)
  const after = await moveVersion(ctx, version, 'edit', { note: { lang: wish.lang } })
  if (!(listingLanguages as readonly string[]).includes(wish.lang)) {
    refuse(errors.unknownLanguage, { lang: wish.lang })
  }
  checkTexts(app, wish)
  const before = await listingIn(ctx, version.versionId, wish.lang)
  const row = await newRow(ctx, app, version, before, wish)
  await swapObjects(ctx, app, before ? imageIdsOf([before]) : [], imageIdsOf([row]))
  await ctx.db
    .insert(listings)
    .values(row)
    .onConflictDoUpdate({ target: [listings.versionId, listings.lang], set: row })
  if (wish.lang === app.defaultLang && app.lastShelf === null) {
    await recordFace(ctx, app.appId, { name: row.appName, iconObjectId: row.icon?.objectId ?? null })
  }
  return { app, version: after, listing: row }
}

/** Takes a language out. The default language stays. */
export async function removeListing(ctx: Context, versionId: string, lang: string): Promise<VersionRecord> {
  const { app, version } = await loadLocked(ctx, versionId)
  mustBeEditable(ctx, version)
  const before = await listingIn(ctx, versionId, lang)
  if (lang === app.defaultLang) refuse(errors.defaultLanguage, { lang })
  if (!before) refuse(commonErrors.notFound, { entity: 'language', id: lang })
  const after = await moveVersion(ctx, version, 'edit', { note: { removedLang: lang } })
  await ctx.db.delete(listings).where(and(eq(listings.versionId, versionId), eq(listings.lang, lang)))
  await swapObjects(ctx, app, imageIdsOf([before]), [])
  return after
}

async function listingIn(ctx: Context, versionId: string, lang: string): Promise<ListingRecord | undefined> {
  const [row] = await ctx.db
    .select()
    .from(listings)
    .where(and(eq(listings.versionId, versionId), eq(listings.lang, lang)))
  return row
}

/** A name is never empty; in the default language neither are the descriptions. */
function checkTexts(app: AppRow, wish: ListingWish): void {
  const required =
    wish.lang === app.defaultLang ? (['appName', 'briefInfo', 'appDesc'] as const) : (['appName'] as const)
  for (const field of required) {
    if (wish[field] !== undefined && !wish[field].trim()) refuse(errors.emptyText, { field, lang: wish.lang })
  }
  const emoji = emojiIn(wish.appName ?? '')
  if (emoji.count > 0) refuse(errors.emojiInName, emoji)
}

async function newRow(
  ctx: Context,
  app: AppRow,
  version: VersionRecord,
  before: ListingRecord | undefined,
  wish: ListingWish,
): Promise<ListingRecord> {
  return {
    versionId: version.versionId,
    lang: wish.lang,
    teamId: version.teamId,
    appName: wish.appName?.trim() ?? before?.appName ?? '',
    briefInfo: wish.briefInfo?.trim() ?? before?.briefInfo ?? '',
    appDesc: wish.appDesc?.trim() ?? before?.appDesc ?? '',
    newFeatures: wish.newFeatures?.trim() ?? before?.newFeatures ?? '',
    icon: await iconOf(ctx, app, before, wish.iconObjectId),
    screenshots: wish.screenshots ? await checkedScreenshots(ctx, wish.screenshots) : (before?.screenshots ?? []),
    ...(await filmOf(ctx, app, before, wish)),
    updatedAt: ctx.now(),
  }
}

async function iconOf(ctx: Context, app: AppRow, before: ListingRecord | undefined, objectId?: string | null) {
  if (objectId === undefined) return before?.icon ?? null
  return objectId === null ? null : checkedIcon(ctx, app, objectId)
}

export function checkedIcon(ctx: Context, app: Pick<AppRow, 'packageType'>, objectId: string): Promise<ListingImage> {
  return checkedImage(ctx, objectId, 'icon', iconRuleOf(app.packageType))
}

async function filmOf(ctx: Context, app: AppRow, before: ListingRecord | undefined, wish: ListingWish) {
  const { filmObjectId = before?.film?.objectId ?? null, filmCoverObjectId: coverId } = wish
  if (filmObjectId === null) {
    if (coverId) throw badField('/filmCoverObjectId', 'film', 'A cover is shown before a film; send a film with it.')
    return { film: null, filmCover: null }
  }
  const known = before?.film?.objectId === filmObjectId ? before.film : null
  const film = known ?? (await newFilm(ctx, app.appId, filmObjectId))
  if (coverId === undefined) return { film, filmCover: before?.filmCover ?? null }
  return { film, filmCover: coverId === null ? null : await checkedImage(ctx, coverId, 'cover', filmCoverRule) }
}

export async function checkedScreenshots(
  ctx: Context,
  wanted: NonNullable<ListingWish['screenshots']>,
): Promise<DeviceScreenshots[]> {
  const rows: DeviceScreenshots[] = []
  for (const { deviceType, showType, objectIds } of wanted) {
    const rule = screenshotRuleOf(deviceType)
    if (objectIds.length > rule.max) refuse(errors.tooManyScreenshots, { deviceType, max: rule.max })
    const images: ListingImage[] = []
    for (const objectId of objectIds) images.push(await checkedImage(ctx, objectId, 'screenshot', rule))
    rows.push({ deviceType, showType: showType === 1 ? 1 : 0, images })
  }
  return rows
}

async function checkedImage(ctx: Context, objectId: string, image: string, rule: ImageRule): Promise<ListingImage> {
  const { mime, sizeBytes, width, height } = await objectOf(ctx, objectId)
  const misfit = imageMisfit(rule, { mime, sizeBytes, width, height })
  if (misfit) refuse(errors.imageCheck, { image, objectId, ...misfit })
  return { objectId, mime, sizeBytes, width: width ?? 0, height: height ?? 0 }
}

/** Holds what is new before it lets go of what is old, each reference counted. */
export async function swapObjects(
  ctx: Context,
  app: AppRow,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const left = [...before]
  const added = after.filter(id => {
    const at = left.indexOf(id)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  if (added.length > 0) await holdObjects(ctx, added, app)
  if (left.length > 0) await releaseObjects(ctx, left)
}
