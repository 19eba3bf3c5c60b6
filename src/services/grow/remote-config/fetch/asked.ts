import type { EvaluationContext } from '../../../../kernel/targeting/evaluate.ts'
import { limits } from '../rules.ts'

/** Names of the unit that means the installation: either stands for the other. */
const unitNames = ['targetingKey', 'installId'] as const

const mostDepth = 5
const longestName = 100

/** What is wrong with a context, in words; thrown by `contextOf`. */
export class BadContext extends Error {}

/**
 * What an app says of itself as the evaluator takes it: nested objects by dotted names, either name of the unit for the
 * other. `known` is what the server knows better. Throws `BadContext` for what is too much or too long.
 */
export function contextOf(said: unknown, known: Readonly<Record<string, string>>, now: number): EvaluationContext {
  if (said !== undefined && (typeof said !== 'object' || said === null || Array.isArray(said)))
    throw new BadContext('the context is an object')
  const attributes: Record<string, unknown> = Object.create(null)
  let count = 0
  const take = (part: object, prefix: string, depth: number) => {
    for (const [name, value] of Object.entries(part)) {
      const path = prefix + name
      if (path.length > longestName) throw new BadContext(`a name has at most ${longestName} characters`)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        if (depth >= mostDepth) throw new BadContext(`objects are nested at most ${mostDepth} levels deep`)
        take(value, `${path}.`, depth + 1)
        continue
      }
      if (++count > limits.contextAttributes) throw new BadContext(`at most ${limits.contextAttributes} attributes`)
      if (isTooLong(value)) throw new BadContext(`${path} has more than ${limits.contextValueLength} characters`)
      attributes[path] = value
    }
  }
  take(said ?? {}, '', 1)
  const [first, second] = unitNames
  attributes[first] ??= attributes[second]
  attributes[second] ??= attributes[first]
  return { attributes: Object.assign(attributes, known), now }
}

function isTooLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > limits.contextValueLength
  return Array.isArray(value) && JSON.stringify(value).length > 4 * limits.contextValueLength
}
