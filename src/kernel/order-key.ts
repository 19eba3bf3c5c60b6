const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * A text that sorts between two others byte by byte, so that moving one row of a list writes one row. `null` is before
 * the first or after the last. Keys are base 62 fractions without a trailing zero; between any two there is another.
 * Throws when `before` does not come before `after`.
 */
export function orderKeyBetween(before: string | null, after: string | null): string {
  const low = before ?? ''
  if (after !== null && low >= after) throw new Error(`${low} does not come before ${after}`)
  return midpoint(low, after)
}

/** The shortest fraction between two, nearer to the middle where there is room. */
function midpoint(low: string, high: string | null): string {
  if (high !== null) {
    let shared = 0
    while ((low[shared] ?? '0') === high[shared]) shared++
    if (shared > 0) return high.slice(0, shared) + midpoint(low.slice(shared), high.slice(shared))
  }
  const first = low === '' ? 0 : digits.indexOf(low[0]!)
  const last = high === null ? digits.length : digits.indexOf(high[0]!)
  if (last - first > 1) return digits[Math.round((first + last) / 2)]!
  if (high !== null && high.length > 1) return high.slice(0, 1)
  return digits[first]! + midpoint(low.slice(1), null)
}
