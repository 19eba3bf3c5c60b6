import { limits } from './rules.ts'

/**
 * The language of definitions: `$.in.appId` reads the input, `$.steps.app.body.list[0].name` the answer of a step, `$.item` the
 * entry of a map; `$coalesce`, `$concat`, `$pick` and `$map` make values of values; anything else is itself, and `$$` begins a
 * text with a dollar. There are no scripts. What is not there is left out.
 */
export interface Scope {
  in: unknown
  steps: Readonly<Record<string, { body: unknown }>>
  caller: Readonly<Record<string, unknown>>
  item?: unknown
}

export class MappingError extends Error {
  readonly pointer: string

  constructor(pointer: string, message: string) {
    super(message)
    this.pointer = pointer
  }
}

export type PathPart = string | number
const parts = /\.([A-Za-z_][A-Za-z0-9_-]*)|\[(\d{1,4})\]|\["([A-Za-z0-9_.:-]{1,100})"\]/y
const roots = ['in', 'steps', 'caller', 'item']
const forbidden = new Set(['__proto__', 'prototype', 'constructor'])

/** The parts of a path after `$`; throws what is wrong with it. */
export function readPath(path: string, pointer = ''): PathPart[] {
  const found: PathPart[] = []
  parts.lastIndex = 1
  while (parts.lastIndex < path.length) {
    const at = parts.exec(path)
    if (!at) throw new MappingError(pointer, `${path.slice(0, 100)} is no path`)
    const [, name, index, quoted] = at
    const part = index === undefined ? (name ?? quoted ?? '') : Number(index)
    if (forbidden.has(String(part))) throw new MappingError(pointer, `${part} cannot be read`)
    found.push(part)
    if (found.length > 32) throw new MappingError(pointer, 'a path has at most 32 parts')
  }
  if (!roots.includes(String(found[0])))
    throw new MappingError(pointer, `a path begins with one of ${roots.join(', ')}`)
  return found
}

type Operator = (given: unknown, work: Work, pointer: string) => unknown

const operators: Readonly<Record<string, Operator>> = {
  $coalesce: (given, work, pointer) => {
    for (const [at, one] of listOf(given, pointer).entries()) {
      const value = work.evaluate(one, `${pointer}/${at}`)
      if (value !== undefined && value !== null) return value
    }
    return undefined
  },
  $concat: (given, work, pointer) => {
    const values = listOf(given, pointer).map((one, at) => work.evaluate(one, `${pointer}/${at}`))
    const there = values.filter(one => one !== undefined && one !== null)
    if (there.length > 0 && there.every(Array.isArray)) return there.flat().slice(0, limits.mapped)
    return there
      .map(one => (typeof one === 'object' ? '' : String(one)))
      .join('')
      .slice(0, limits.textLength)
  },
  $pick: (given, work, pointer) => {
    const { from, keys } = fieldsOf(given, ['from', 'keys'], pointer)
    const source = work.evaluate(from, `${pointer}/from`)
    if (typeof source !== 'object' || source === null) return undefined
    return Object.fromEntries(
      listOf(keys, `${pointer}/keys`).flatMap(key =>
        typeof key === 'string' && Object.hasOwn(source, key) && !forbidden.has(key)
          ? [[key, (source as Record<string, unknown>)[key]]]
          : [],
      ),
    )
  },
  $map: (given, work, pointer) => {
    const { from, to } = fieldsOf(given, ['from', 'to'], pointer)
    const source = work.evaluate(from, `${pointer}/from`)
    if (!Array.isArray(source)) return undefined
    return source.slice(0, limits.mapped).map(item => work.within(item).evaluate(to, `${pointer}/to`))
  },
  $exists: (given, work, pointer) => {
    const value = work.evaluate(given, pointer)
    return value !== undefined && value !== null
  },
  $equals: (given, work, pointer) => {
    const [one, other] = listOf(given, pointer)
    return JSON.stringify(work.evaluate(one, `${pointer}/0`)) === JSON.stringify(work.evaluate(other, `${pointer}/1`))
  },
  $not: (given, work, pointer) => !work.evaluate(given, pointer),
  $all: (given, work, pointer) => listOf(given, pointer).every((one, at) => work.evaluate(one, `${pointer}/${at}`)),
  $any: (given, work, pointer) => listOf(given, pointer).some((one, at) => work.evaluate(one, `${pointer}/${at}`)),
}
export const operatorNames: readonly string[] = Object.keys(operators)

/** The value of a mapping; `budget` counts what it may still make, over several mappings where they share it. */
export function evaluate(mapping: unknown, scope: Scope, budget = { values: limits.mappingValues as number }): unknown {
  return new Work(scope, budget, 0).evaluate(mapping, '')
}

class Work {
  readonly #scope: Scope
  readonly #budget: { values: number }
  readonly #depth: number

  constructor(scope: Scope, budget: { values: number }, depth: number) {
    this.#scope = scope
    this.#budget = budget
    this.#depth = depth
  }

  within(item: unknown): Work {
    return new Work({ ...this.#scope, item }, this.#budget, this.#depth)
  }

  evaluate(mapping: unknown, pointer: string): unknown {
    if (--this.#budget.values < 0) throw new MappingError(pointer, `makes more than ${limits.mappingValues} values`)
    if (typeof mapping === 'string') {
      if (mapping.startsWith('$$')) return mapping.slice(1)
      return mapping.startsWith('$.') ? this.#read(readPath(mapping, pointer)) : mapping
    }
    if (typeof mapping !== 'object' || mapping === null) return mapping
    if (this.#depth >= limits.mappingDepth)
      throw new MappingError(pointer, `is deeper than ${limits.mappingDepth} levels`)
    const deeper = new Work(this.#scope, this.#budget, this.#depth + 1)
    if (Array.isArray(mapping)) {
      return mapping.map((one, at) => deeper.evaluate(one, `${pointer}/${at}`)).filter(one => one !== undefined)
    }
    const operator = operatorOf(mapping, pointer)
    if (operator) return operator.run(operator.given, deeper, `${pointer}/${operator.name}`)
    return Object.fromEntries(
      Object.entries(mapping).flatMap(([key, one]) => {
        const value = deeper.evaluate(one, `${pointer}/${key}`)
        return value === undefined ? [] : [[key, value]]
      }),
    )
  }

  #read(path: readonly PathPart[]): unknown {
    let at: unknown = this.#scope
    for (const part of path) {
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined
      at = (at as Record<PathPart, unknown>)[part]
    }
    return at
  }
}

/** The operator that an object is, where a key of it begins with a dollar. Throws for one that does not exist. */
export function operatorOf(mapping: object, pointer: string) {
  const entries = Object.entries(mapping)
  const [first] = entries
  if (!first || !entries.some(([key]) => key.startsWith('$'))) return undefined
  const [name, given] = first
  const run = entries.length === 1 && Object.hasOwn(operators, name) ? operators[name] : undefined
  if (!run) throw new MappingError(pointer, `one operator stands alone; there are ${operatorNames.join(', ')}`)
  return { name, given, run }
}

function listOf(given: unknown, pointer: string): unknown[] {
  if (!Array.isArray(given)) throw new MappingError(pointer, 'takes a list')
  return given
}

function fieldsOf(given: unknown, names: string[], pointer: string): Record<string, unknown> {
  const isThere = typeof given === 'object' && given !== null && names.every(name => Object.hasOwn(given, name))
  if (!isThere) throw new MappingError(pointer, `takes ${names.join(' and ')}`)
  return given as Record<string, unknown>
}
