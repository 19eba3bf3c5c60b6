/** A value that a JSON schema takes: its smallest, with `known` values for the names of ids. */
export function sampleOf(schema: unknown, known: Readonly<Record<string, unknown>>, name = ''): unknown {
  const node = schema as JsonSchema
  if (name in known) return node.type === 'array' && !Array.isArray(known[name]) ? [known[name]] : known[name]
  if (node.const !== undefined) return node.const
  if (node.enum) return node.enum[0]
  if (node.examples) return node.examples[0]
  if (node.anyOf) return sampleOf(node.anyOf[0], known, name)
  switch (node.type) {
    case 'object':
      if (node.patternProperties) return { '1': sampleOf(Object.values(node.patternProperties)[0], known) }
      return Object.fromEntries(
        Object.entries(node.properties ?? {})
          .filter(([key]) => node.required?.includes(key) || key in known)
          .map(([key, property]) => [key, sampleOf(property, known, key)]),
      )
    case 'array':
      return Array.from({ length: node.minItems ?? 0 }, () => sampleOf(node.items, known, name.replace(/s$/, '')))
    case 'integer':
    case 'number':
      return node.minimum ?? 1
    case 'boolean':
      return true
    case 'string':
      return 'sample text'.padEnd(node.minLength ?? 0, '.').slice(0, node.maxLength ?? 100)
    default:
      return {}
  }
}

interface JsonSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  examples?: unknown[]
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  patternProperties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  minItems?: number
  minimum?: number
  minLength?: number
  maxLength?: number
}
