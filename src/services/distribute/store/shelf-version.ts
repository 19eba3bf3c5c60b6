import type { PreparedAnswer } from '../../../server/implement.ts'
import type { LoadedRecord } from './queries.ts'
import type { Offer } from './rules.ts'
import type { SplitRef } from './tables.home.ts'

/** An offer as JSON, and the whole answer to a device that asked for this one package. */
export interface OfferText {
  staleness: number
  json: string
  alone: PreparedAnswer
}

/** A version on shelf with everything answers need, made once when it is loaded. */
export interface ShelfVersion extends Offer, Omit<LoadedRecord, keyof Offer> {
  apkName: string
  url: string
  /** Of its set, what a device installs together, with their addresses. */
  parts: readonly ServedPart[]
  locales: readonly string[]
  /** Prepared answers by the language asked for. */
  answers: Map<string, OfferText>
}

export interface ServedPart extends SplitRef {
  url: string
}

export interface ShelfApp {
  packageName: string
  /** On shelf, the highest code first; empty when the app is known and nothing of it is on shelf. */
  offers: readonly ShelfVersion[]
  /** Those of them that everybody sees: what comes in phases is for the devices whose turn it is. */
  versions: readonly ShelfVersion[]
  /** Lower case, what a search looks through. */
  haystack: string
  apkNames: readonly string[]
  media: readonly string[]
}
