import { Ajv, type ValidateFunction } from 'ajv'
import { RE2JS } from 're2js'
import { limits } from './rules.ts'

/**
 * Patterns of people's schemas run in linear time, whatever they say; those that this engine has not are refused. The
 * code is what Ajv prints where schemas become files, which ours never do.
 */
const regExp = Object.assign(
  (pattern: string) => {
    if (pattern.length > limits.patternLength)
      throw new Error(`a pattern has at most ${limits.patternLength} characters`)
    const compiled = RE2JS.compile(pattern)
    return { test: (text: string) => compiled.matcher(text).find() }
  },
  { code: 'RegExp' },
)
const ajv = new Ajv({ strict: false, validateFormats: false, logger: false, code: { regExp } })

/** What leads out of a schema, or back into itself without an end. */
const leadsAway = new Set(['$ref', '$dynamicRef', '$recursiveRef', '$async', '$data'])
const saysWhatItIs = new Set(['$schema', '$id', 'id'])

const mostKept = 500
const kept = new Map<string, ValidateFunction | string>()

/** The schema as a check, or what is wrong with it in words. */
function checkOf(schema: Record<string, unknown>): ValidateFunction | string {
  const text = JSON.stringify(schema)
  const known = kept.get(text)
  if (known !== undefined) return known
  const made = text.length > limits.schemaLength ? `has more than ${limits.schemaLength} characters` : compile(schema)
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value!)
  kept.set(text, made)
  return made
}

function compile(schema: Record<string, unknown>): ValidateFunction | string {
  const away = leadingAway(schema, 0)
  if (away !== null) return away
  const own = Object.fromEntries(Object.entries(schema).filter(([name]) => !saysWhatItIs.has(name)))
  try {
    return ajv.compile(own)
  } catch (error) {
    return `is no JSON schema: ${(error as Error).message.slice(0, 200)}`
  } finally {
    ajv.removeSchema(own)
  }
}

function leadingAway(node: unknown, depth: number): string | null {
  if (typeof node !== 'object' || node === null) return null
  if (depth > limits.schemaDepth) return `is nested more than ${limits.schemaDepth} levels deep`
  for (const [name, part] of Object.entries(node)) {
    if (leadsAway.has(name) && !Array.isArray(node)) return `must stand by itself, without ${name}`
    const found = leadingAway(part, depth + 1)
    if (found !== null) return found
  }
  return null
}

/** What is wrong with a schema, or null. */
export function schemaProblem(schema: Record<string, unknown>): string | null {
  const check = checkOf(schema)
  return typeof check === 'string' ? check : null
}

/** What keeps a value from being as its schema says, with the place in it, or null. The schema was found to be one. */
export function schemaFailure(schema: Record<string, unknown>, value: unknown): string | null {
  const check = checkOf(schema)
  if (typeof check === 'string' || check(value)) return null
  const [first] = check.errors ?? []
  return `${first?.instancePath || '/'} ${first?.message ?? 'is not as the schema says'}`
}
