import { armOf } from '../../../../kernel/bucketing.ts'
import { chooseLocale } from '../rules.ts'
import type { ShelfVersion } from '../shelf-version.ts'

interface Looker {
  deviceId: string
  lang?: string
  country?: string
}

/** How a version looks to a device that takes part in a test of its page. */
export interface Look {
  version: ShelfVersion
  testId: string
  /** Null is the control. */
  variantId: string | null
}

/** Null for a device that takes part in none: it sees what is on shelf. By the memory alone. */
export function lookFor(version: ShelfVersion, { deviceId, lang, country }: Looker): Look | null {
  if (version.tests.length === 0) return null
  const locale = chooseLocale(version.locales, lang, version.defaultLocale)
  // An app has one test at a time in a language.
  const test = version.tests.find(one => one.locales.includes(locale))
  if (!test || (test.countries.length > 0 && !test.countries.includes(country ?? ''))) return null
  const arm = armOf(test, deviceId)
  if (arm === null) return null
  const variant = test.variants[arm - 1]
  const { testId } = test
  const listing = version.listings[locale]
  if (!variant || !listing) return { version, testId, variantId: null }
  const listings = { ...version.listings, [locale]: { ...listing, ...variant.faces[locale] } }
  return { version: { ...version, listings }, testId, variantId: variant.variantId }
}
