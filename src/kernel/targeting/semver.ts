/** Versions as semver.org 2.0 orders them. Strict: no leading v, three numbers; what is behind a plus does not count. */
export interface Version {
  numbers: readonly [number, number, number]
  /** The parts of a pre-release; none for a release, which comes after all its pre-releases. */
  before: readonly (string | number)[]
}

const number = '(0|[1-9]\\d{0,14})'
const part = '(?:0|[1-9]\\d{0,14}|\\d*[A-Za-z-][0-9A-Za-z-]*)'
const form = new RegExp(`^${number}\\.${number}\\.${number}(?:-(${part}(?:\\.${part})*))?(?:\\+[0-9A-Za-z.-]+)?$`)

/** A text as a version; undefined when it is none. */
export function versionOf(text: unknown): Version | undefined {
  if (typeof text !== 'string' || text.length > 256) return undefined
  const parts = form.exec(text)
  if (!parts) return undefined
  const [, major, minor, patch, before] = parts
  return {
    numbers: [Number(major), Number(minor), Number(patch)],
    before: before === undefined ? [] : before.split('.').map(one => (/^\d+$/.test(one) ? Number(one) : one)),
  }
}

/** Below, at or above zero as the first comes before, with or after the second. */
export function compareVersions(one: Version, other: Version): number {
  for (let at = 0; at < 3; at++) {
    const difference = (one.numbers[at] as number) - (other.numbers[at] as number)
    if (difference !== 0) return difference
  }
  if (one.before.length === 0 || other.before.length === 0) return other.before.length - one.before.length
  for (let at = 0; at < Math.min(one.before.length, other.before.length); at++) {
    const difference = compareParts(one.before[at] as string | number, other.before[at] as string | number)
    if (difference !== 0) return difference
  }
  return one.before.length - other.before.length
}

function compareParts(one: string | number, other: string | number): number {
  if (one === other) return 0
  if (typeof one === 'number') return typeof other === 'number' ? one - other : -1
  if (typeof other === 'number') return 1
  return one < other ? -1 : 1
}
