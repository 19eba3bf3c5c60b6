import { type Environment, evaluate } from '@marcbachmann/cel-js/evaluator'

/** What changed between two maps. */
class RuleDifference {
  readonly after: Record<string, unknown>
  readonly before: Record<string, unknown>

  constructor(after: Record<string, unknown>, before: Record<string, unknown>) {
    this.after = after
    this.before = before
  }

  keys(kind: 'added' | 'removed' | 'changed' | 'unchanged' | 'affected'): string[] {
    const { after, before } = this
    const all = [...new Set([...Object.keys(after), ...Object.keys(before)])]
    return all.filter(key => {
      const isNew = Object.hasOwn(after, key)
      const wasThere = Object.hasOwn(before, key)
      const isSame = isNew && wasThere && isEqual(after[key], before[key])
      if (kind === 'added') return isNew && !wasThere
      if (kind === 'removed') return !isNew && wasThere
      if (kind === 'unchanged') return isSame
      return !isSame && (kind === 'affected' || (isNew && wasThere))
    })
  }
}

/** Equality as `==` has it. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (left === null || right === null) return false
  if (typeof left !== 'object' && typeof right !== 'object') {
    // biome-ignore lint/suspicious/noDoubleEquals: 1n and 1.0 are one number
    return typeof left !== 'string' && typeof right !== 'string' && left == right
  }
  return evaluate('a == b', { a: left, b: right }) === true
}

type Plain = Record<string, unknown>

export function registerCollections(env: Environment): void {
  env.registerType('RuleDifference', RuleDifference)
  env.registerFunction(
    'map.diff(map): RuleDifference',
    (after: Plain, before: Plain) => new RuleDifference(after, before),
  )
  for (const kind of ['added', 'removed', 'changed', 'unchanged', 'affected'] as const) {
    env.registerFunction(`RuleDifference.${kind}Keys(): list<string>`, (difference: RuleDifference) =>
      difference.keys(kind),
    )
  }
  env.registerFunction('map.keys(): list<string>', (map: Plain) => Object.keys(map))
  env.registerFunction('map.values(): list<dyn>', (map: Plain) => Object.values(map))
  env.registerFunction('map.get(dyn, dyn): dyn', (map: Plain, key: unknown, otherwise: unknown) =>
    typeof key === 'string' && Object.hasOwn(map, key) ? map[key] : otherwise,
  )
  const has = (list: unknown[], one: unknown) => list.some(other => isEqual(one, other))
  env.registerFunction('list.hasAny(list): bool', (list: unknown[], wanted: unknown[]) =>
    wanted.some(one => has(list, one)),
  )
  env.registerFunction('list.hasAll(list): bool', (list: unknown[], wanted: unknown[]) =>
    wanted.every(one => has(list, one)),
  )
  env.registerFunction('list.hasOnly(list): bool', (list: unknown[], allowed: unknown[]) =>
    list.every(one => has(allowed, one)),
  )
  env.registerFunction('list.toSet(): list<dyn>', (list: unknown[]) =>
    list.filter((one, index) => !has(list.slice(0, index), one)),
  )
  env.registerFunction('list.concat(list): list<dyn>', (list: unknown[], more: unknown[]) => [...list, ...more])
  env.registerFunction('list.removeAll(list): list<dyn>', (list: unknown[], gone: unknown[]) =>
    list.filter(one => !has(gone, one)),
  )
}
