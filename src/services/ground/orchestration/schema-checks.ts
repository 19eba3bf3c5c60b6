import type { CallSpec } from '../../../kernel/contract.ts'
import type { PathPart } from './mapping.ts'

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  required?: string[]
}

/** Whether an answer of this schema can have something at the path. */
export function hasField(schema: object, path: readonly PathPart[]): boolean {
  const [part, ...rest] = path
  const node = schema as Schema
  if (part === undefined) return true
  if (node.anyOf) return node.anyOf.some(one => hasField(one, path))
  if (typeof part === 'number') return node.items === undefined || hasField(node.items, rest)
  if (node.type !== 'object') return node.type === undefined
  const property = node.properties && Object.hasOwn(node.properties, part) ? node.properties[part] : undefined
  if (property) return hasField(property, rest)
  return node.additionalProperties !== false || node.patternProperties !== undefined
}

type Say = (pointer: string, rule: string, message: string) => void

/** What the input of a step says that the call does not take, and what it takes that is not said. */
export function checkInput(call: CallSpec, input: Record<string, unknown>, pointer: string, say: Say): void {
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = call[part] as Schema | undefined
    const given = input[part]
    if (given !== undefined && !schema) say(`${pointer}/${part}`, 'unknown', `the call takes no ${part}`)
    if (!schema?.properties) continue
    const isOpen = typeof given === 'string' || (typeof given === 'object' && given !== null && hasOperator(given))
    if (isOpen) continue
    const fields = (given ?? {}) as Record<string, unknown>
    for (const name of Object.keys(fields)) {
      if (!Object.hasOwn(schema.properties, name)) {
        say(`${pointer}/${part}/${name}`, 'unknown', 'is not a field of this call')
      }
    }
    for (const name of schema.required ?? []) {
      if (!Object.hasOwn(fields, name)) say(`${pointer}/${part}/${name}`, 'required', 'is missing')
    }
  }
}

function hasOperator(value: object): boolean {
  return Object.keys(value).some(key => key.startsWith('$'))
}
