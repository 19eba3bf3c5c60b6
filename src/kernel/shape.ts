import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'

/**
 * The vocabulary every contract is written in. One schema serves validation, serialisation, OpenAPI and the forms,
 * so limits live here or in a contract and nowhere else.
 */

/** An object that refuses fields it does not name: a typo never becomes a silent no-op. */
export function shape<P extends TProperties>(properties: P, options: Record<string, unknown> = {}): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options }) as TObject<P>
}

export const optional = Type.Optional
export const list = Type.Array
export const flag = Type.Boolean

/** A field that may be null. Written as the keyword the compiled serialiser knows; OpenAPI prints it as a union. */
export function nullable<T extends TSchema>(schema: T) {
  const plain = schema as T & { enum?: unknown[] }
  const marked = plain.enum ? { ...plain, enum: [...plain.enum, null] } : { ...plain, nullable: true }
  return Type.Unsafe<Static<T> | null>(marked as TSchema)
}

/** A decimal string of a time-ordered 63-bit integer; never a JavaScript number. */
export const Id = Type.String({ pattern: '^[1-9][0-9]{0,18}$', description: 'id', examples: ['736430079244000001'] })

/** Epoch milliseconds, UTC. */
export const Instant = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description: 'epoch milliseconds' })

/** Counts writes of a row; a write sends the one it read and a stale one is refused with 409. */
export const Revision = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

/** Text of a bounded length in characters; `min` 1 also refuses blank text. */
export function text(max: number, min = 0, options: Record<string, unknown> = {}) {
  return Type.String({ maxLength: max, minLength: min, ...(min > 0 ? { pattern: '\\S' } : {}), ...options })
}

/** Text that must match a pattern; `example` shows one that does. */
export function pattern(regexp: string, max: number, example: string) {
  return Type.String({ pattern: regexp, maxLength: max, examples: [example] })
}

/** A whole number between two bounds, both included. */
export function integer(minimum: number, maximum: number) {
  return Type.Integer({ minimum, maximum })
}

/** One of a closed list of words. */
export function oneOf<const W extends string[]>(words: readonly [...W]) {
  return Type.Enum(words as [...W])
}

/** The query every list takes. `cursor` comes from the answer before; `pageSize` is 20 unless said, at most 100. */
export const PageQuery = {
  cursor: optional(text(200)),
  pageSize: optional(Type.Integer({ minimum: 1, maximum: 100 })),
}

/** The answer of every list. `total` counts what the filter matches; `nextCursor` is null on the last page. */
export function pageOf<T extends TSchema>(item: T) {
  return shape({ total: Type.Integer({ minimum: 0 }), list: Type.Array(item), nextCursor: nullable(Type.String()) })
}

/** Free JSON that a contract passes through untouched. */
export const AnyJson = Type.Unknown()

export type { Static, TSchema }
export { Type }
