import type { ShelfApp, ShelfVersion } from './shelf-version.ts'
import type { SeriesRef } from './tables.home.ts'

/** Whether another edition is shown in the place of one, to somebody in `country`. */
export function isHiddenIn({ hiddenIn }: SeriesRef, country: string | undefined): boolean {
  return hiddenIn.includes('*') || (country !== undefined && hiddenIn.includes(country))
}

/** Which apps are editions of one product, by series; kept beside the shelf, so that a question is no search. */
export class Editions {
  readonly #bySeries = new Map<string, Map<string, ShelfApp>>()

  /** Every prepared answer of the others names the editions, so those are made again. */
  put(app: ShelfApp): void {
    const series = app.offers[0]?.series
    if (!series) return
    const known = this.#bySeries.get(series.seriesId) ?? new Map<string, ShelfApp>()
    this.#bySeries.set(series.seriesId, known.set(app.packageName, app))
    forgetAnswers(known)
  }

  forget(app: ShelfApp): void {
    const series = app.offers[0]?.series
    const known = series && this.#bySeries.get(series.seriesId)
    if (!series || !known?.delete(app.packageName)) return
    if (known.size === 0) this.#bySeries.delete(series.seriesId)
    else forgetAnswers(known)
  }

  clear(): void {
    this.#bySeries.clear()
  }

  /** What everybody sees of every edition of the product, the main one first; empty where the app is in no series. */
  of({ series }: ShelfVersion): ShelfVersion[] {
    const known = series ? [...(this.#bySeries.get(series.seriesId)?.values() ?? [])] : []
    const shown = known.flatMap(app => app.versions[0] ?? [])
    return shown.sort((a, b) => place(a) - place(b) || (a.packageName < b.packageName ? -1 : 1))
  }

  /** The edition that is shown instead of this one in a country; null where it is shown itself or nothing else is. */
  replacementOf(version: ShelfVersion, country: string | undefined): ShelfVersion | null {
    if (!version.series || !isHiddenIn(version.series, country)) return null
    return this.of(version).find(one => one.series && isOffered(one, country)) ?? null
  }

  /** Whether lists show it: one edition stands for the product, the main one where that is shown. */
  isFirst(version: ShelfVersion, country: string | undefined): boolean {
    if (!version.series) return true
    const [first] = this.of(version).filter(one => isOffered(one, country))
    return first === undefined || first.packageName === version.packageName
  }
}

const place = ({ series }: ShelfVersion) => (series?.role === 'MAIN' ? 0 : 1)

const isOffered = ({ series, countries }: ShelfVersion, country: string | undefined) =>
  !(series && isHiddenIn(series, country)) &&
  (country === undefined || countries.length === 0 || countries.includes(country))

function forgetAnswers(apps: ReadonlyMap<string, ShelfApp>): void {
  for (const { offers } of apps.values()) for (const offer of offers) offer.answers.clear()
}
