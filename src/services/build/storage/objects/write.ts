import type { Content } from './content.ts'
import type { Attributes, ObjectRow } from './rows.ts'

/** What must hold of the file that stands there, or the write is refused. */
export interface Precondition {
  /** 0: there must be none. */
  generation?: number | undefined
  etag?: string | undefined
  /** There must be none of this etag; `*` none at all. */
  notEtag?: string | undefined
}

export interface Write {
  path: string
  content: Content
  attributes: Attributes
  checksums?: Record<string, string>
  ownerUid: string | null
  when?: Precondition | undefined
  /** Asked again where the rules were asked for another method: somebody was faster. Refuses. */
  allow?: ((method: 'create' | 'update', before: ObjectRow | null) => void) | undefined
}
