import { shape, Type, text } from '../../../../../kernel/shape.ts'
import { textLimits } from '../../listing/rules.ts'
import type { ListingView } from '../version-calls.ts'

export const textFields = ['appName', 'briefInfo', 'appDesc', 'newFeatures'] as const
export type TextName = (typeof textFields)[number]
export type ImageView = NonNullable<ListingView['icon']>
export type FilmView = NonNullable<ListingView['film']>

/** One language as the form holds it; screenshots by device type. */
export interface LanguageValues {
  appName: string
  briefInfo: string
  appDesc: string
  newFeatures: string
  icon: ImageView | null
  screenshots: Record<string, ImageView[]>
  film: FilmView | null
  filmCover: ImageView | null
}
export type ListingValues = Record<string, LanguageValues>

/** The default language names everything; others may leave texts to it, but for their name. */
function languageSchema(isDefault: boolean) {
  const least = isDefault ? 1 : 0
  return shape({
    appName: text(textLimits.appName, 1),
    briefInfo: text(textLimits.briefInfo, least),
    appDesc: text(textLimits.appDesc, least),
    newFeatures: text(textLimits.newFeatures),
    icon: Type.Unsafe<ImageView | null>({}),
    screenshots: Type.Unsafe<Record<string, ImageView[]>>({}),
    film: Type.Unsafe<FilmView | null>({}),
    filmCover: Type.Unsafe<ImageView | null>({}),
  })
}

export function listingSchema(languages: readonly string[], defaultLang: string) {
  return shape(Object.fromEntries(languages.map(lang => [lang, languageSchema(lang === defaultLang)])))
}

export function valuesOf(listing: ListingView): LanguageValues {
  const { appName, briefInfo, appDesc, newFeatures, icon, screenshots, film, filmCover } = listing
  return {
    appName,
    briefInfo,
    appDesc,
    newFeatures,
    icon,
    screenshots: Object.fromEntries(screenshots.map(one => [one.deviceType, one.images])),
    film,
    filmCover,
  }
}

export function emptyValues(appName: string): LanguageValues {
  const texts = { appName, briefInfo: '', appDesc: '', newFeatures: '' }
  return { ...texts, icon: null, screenshots: {}, film: null, filmCover: null }
}

const idsOf = (shots: LanguageValues['screenshots']) =>
  JSON.stringify(
    Object.entries(shots)
      .filter(([, images]) => images.length > 0)
      .map(([device, images]) => [device, images.map(image => image.objectId)]),
  )

/** Names of what differs; everything for a language that is not saved yet. */
export function changedFields(now: LanguageValues, saved: LanguageValues | undefined): (keyof LanguageValues)[] {
  if (!saved) return [...textFields, 'icon', 'screenshots', 'film', 'filmCover']
  const changed: (keyof LanguageValues)[] = textFields.filter(name => now[name] !== saved[name])
  if (now.icon?.objectId !== saved.icon?.objectId) changed.push('icon')
  if (idsOf(now.screenshots) !== idsOf(saved.screenshots)) changed.push('screenshots')
  if (now.film?.objectId !== saved.film?.objectId) changed.push('film')
  if (now.filmCover?.objectId !== saved.filmCover?.objectId) changed.push('filmCover')
  return changed
}

/** What is sent: only what changed, so that a save never undoes what stands elsewhere. */
export function bodyOf(now: LanguageValues, changed: readonly (keyof LanguageValues)[]) {
  const texts = Object.fromEntries(textFields.filter(name => changed.includes(name)).map(name => [name, now[name]]))
  return {
    ...(texts as Partial<Record<TextName, string>>),
    ...(changed.includes('icon') && { iconObjectId: now.icon?.objectId ?? null }),
    ...(changed.includes('film') && { filmObjectId: now.film?.objectId ?? null }),
    ...(changed.includes('filmCover') && { filmCoverObjectId: now.filmCover?.objectId ?? null }),
    ...(changed.includes('screenshots') && {
      screenshots: Object.entries(now.screenshots)
        .filter(([, images]) => images.length > 0)
        .map(([device, images]) => ({
          deviceType: Number(device),
          showType: images[0]!.width > images[0]!.height ? 1 : 0,
          objectIds: images.map(image => image.objectId),
        })),
    }),
  }
}
