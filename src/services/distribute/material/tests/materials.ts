import type { Context } from '../../../../server/context.ts'
import type { AppRow } from '../../apps/public.ts'
import type { Materials } from '../../versions/listing/public.ts'
import { publishedOf, type VersionListing } from '../../versions/public.ts'
import type { TestRecord } from './rows.ts'
import { type Element, partOf } from './rules.ts'

/** Every file that materials refer to, as often as they do. */
export function objectIdsOf(all: readonly Materials[]): string[] {
  return all.flatMap(({ icon, screenshots, film }) => [
    ...[icon, film].flatMap(one => one?.objectId ?? []),
    ...(screenshots ?? []).flatMap(device => device.images.map(image => image.objectId)),
  ])
}

type Parts = Pick<TestRecord, 'elements' | 'langs'>

/** Of listings what a test is about. */
export function partsOf(listings: readonly VersionListing[], { elements, langs }: Parts): Materials[] {
  return listings
    .filter(one => langs.includes(one.lang))
    .map(one => {
      const has = (element: Element) => elements.includes(element)
      return {
        lang: one.lang,
        name: has('name') ? one.appName : null,
        brief: has('brief') ? one.briefInfo : null,
        icon: has('icon') ? one.icon : null,
        screenshots: has('screenshots') ? one.screenshots : null,
        film: has('video') ? one.film : null,
      }
    })
}

/** What the store shows of an app now; null while nothing is on shelf. */
export async function shownOf(ctx: Context, app: AppRow) {
  return app.shelf ? publishedOf(ctx, app.shelf.versionId) : null
}

/** The first element in which two listings differ where the test looks, in which language. */
export function differenceOf(
  { elements, langs }: Parts,
  one: readonly Materials[],
  other: readonly Materials[],
): { lang: string; element: Element } | null {
  for (const lang of langs) {
    const [a, b] = [one, other].map(all => all.find(it => it.lang === lang))
    const element = elements.find(it => faceOf(a?.[partOf[it]]) !== faceOf(b?.[partOf[it]]))
    if (element) return { lang, element }
  }
  return null
}

/** What people see of a part: words, or the files in their order. */
function faceOf(part: Materials[keyof Materials] | undefined): string {
  if (part == null || typeof part === 'string') return part ?? ''
  return JSON.stringify(Array.isArray(part) ? part.map(one => one.images.map(it => it.objectId)) : part.objectId)
}
