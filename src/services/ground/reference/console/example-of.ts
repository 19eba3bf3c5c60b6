import type { Schema } from './open-api.ts'

/** A value to begin with: what is required, its smallest, with the examples the schema gives. */
export function exampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.examples?.length) return schema.examples[0]
  if (schema.enum?.length) return schema.enum.find(value => value !== null)
  if (schema.anyOf?.length)
    return schema.anyOf.some(one => one.type === 'null') ? null : exampleOf(schema.anyOf[0] ?? {})
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name))
          .map(([name, property]) => [name, exampleOf(property)]),
      )
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => exampleOf(schema.items ?? {}))
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return false
    case 'string':
      return ''.padEnd(schema.minLength ?? 0, 'x')
    default:
      return null
  }
}
