import { and, eq } from 'drizzle-orm'
import type { CheckedFilm } from '../../../../kernel/film.ts'
import type { Context } from '../../../../server/context.ts'
import { type AppRow, recordFace } from '../../apps/public.ts'
import { imageIdsOf, type ListingRecord, loadVersion, openVersionOf, shelfVersionOf } from '../queries.ts'
import { noteRename } from '../shelf-names.ts'
import { type DeviceScreenshots, type ListingImage, listings } from '../tables.ts'
import { chosenFilm, type FilmSight, lookAtFilm } from './film.ts'
import { nameVerdict } from './names.ts'
import { checkedIcon, checkedScreenshots, swapObjects } from './save.ts'

export type { DeviceScreenshots, ListingImage } from '../tables.ts'
export type { FilmSight } from './film.ts'

/** What may take the place of a part of the listing in one language; null is as it was. */
export interface Materials {
  lang: string
  name: string | null
  brief: string | null
  icon: ListingImage | null
  screenshots: DeviceScreenshots[] | null
  film: CheckedFilm | null
}

/** The pictures and the film by the rules of listings, of the caller's own files. Refuses 404, 400 and 422 as a listing does. */
export async function checkMaterials(
  ctx: Context,
  app: AppRow,
  wish: {
    iconObjectId?: string | null
    screenshots?: readonly { deviceType: number; showType: number; objectIds: readonly string[] }[] | null
    filmObjectId?: string | null
  },
): Promise<Pick<Materials, 'icon' | 'screenshots' | 'film'>> {
  return {
    icon: wish.iconObjectId ? await checkedIcon(ctx, app, wish.iconObjectId) : null,
    screenshots: wish.screenshots ? await checkedScreenshots(ctx, wish.screenshots) : null,
    film: wish.filmObjectId ? await chosenFilm(ctx, wish.filmObjectId) : null,
  }
}

/** What a film says of itself and what is objected to it, for a job without a transaction of its own. */
export const readFilm = (ctx: Context, objectId: string, signal: AbortSignal): Promise<FilmSight> =>
  lookAtFilm(ctx, objectId, signal)

/** Why the app cannot have a name in these countries; null when it can. */
export async function nameObjection(ctx: Context, app: AppRow, name: string, countries: readonly string[]) {
  return (await nameVerdict(ctx, app, name, countries)).reason
}

/** Holds the objects that are new for the app before it lets go of those that are no more, each reference counted. */
export const exchangeObjects = (
  ctx: Context,
  app: AppRow,
  before: readonly string[],
  after: readonly string[],
): Promise<void> => swapObjects(ctx, app, before, after)

/**
 * Puts materials into the listing of the version on shelf at once, and into that of the version being prepared where it
 * still had what was on shelf, so that it does not bring the old back. The app must be locked and have something on shelf.
 */
export async function applyMaterials(ctx: Context, app: AppRow, all: readonly Materials[]): Promise<void> {
  const shelf = await shelfVersionOf(ctx, app.appId)
  if (!shelf) return
  const open = await openVersionOf(ctx, app.appId)
  for (const one of all) {
    const before = await listingIn(ctx, shelf.versionId, one.lang)
    if (!before) continue
    const draft = open && (await listingIn(ctx, open.versionId, one.lang))
    if (draft) await write(ctx, app, draft, onlyWhereSame(one, before, draft))
    const after = await write(ctx, app, before, one)
    if (one.lang !== app.defaultLang) continue
    if (after.appName !== before.appName)
      await noteRename(ctx, app, await loadVersion(ctx, shelf.versionId), after.appName)
    await recordFace(ctx, app.appId, { name: after.appName, iconObjectId: after.icon?.objectId ?? null })
  }
}

async function listingIn(ctx: Context, versionId: string, lang: string): Promise<ListingRecord | undefined> {
  const [row] = await ctx.db
    .select()
    .from(listings)
    .where(and(eq(listings.versionId, versionId), eq(listings.lang, lang)))
  return row
}

async function write(ctx: Context, app: AppRow, before: ListingRecord, change: Materials): Promise<ListingRecord> {
  const { name, brief, icon, screenshots, film } = change
  const after: ListingRecord = {
    ...before,
    appName: name ?? before.appName,
    briefInfo: brief ?? before.briefInfo,
    icon: icon ?? before.icon,
    screenshots: screenshots ?? before.screenshots,
    film: film ?? before.film,
    // The cover is a picture of the film before.
    filmCover: film && film.objectId !== before.film?.objectId ? null : before.filmCover,
    updatedAt: ctx.now(),
  }
  await swapObjects(ctx, app, imageIdsOf([before]), imageIdsOf([after]))
  await ctx.db
    .update(listings)
    .set(after)
    .where(and(eq(listings.versionId, before.versionId), eq(listings.lang, before.lang)))
  return after
}

function onlyWhereSame(change: Materials, shelf: ListingRecord, draft: ListingRecord): Materials {
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  return {
    lang: change.lang,
    name: draft.appName === shelf.appName ? change.name : null,
    brief: draft.briefInfo === shelf.briefInfo ? change.brief : null,
    icon: isSame(draft.icon, shelf.icon) ? change.icon : null,
    screenshots: isSame(draft.screenshots, shelf.screenshots) ? change.screenshots : null,
    film: isSame(draft.film?.objectId, shelf.film?.objectId) ? change.film : null,
  }
}
