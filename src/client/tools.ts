const longestWaitMs = 300_000

/** Each failure waits twice as long as the one before, up to five minutes, and not all devices at one moment. Milliseconds. */
export const waitAfter = (failures: number): number =>
  Math.min(1000 * 2 ** failures, longestWaitMs) * (0.5 + Math.random() / 2)

/** A short name of a text, FNV-1a: what is kept is told apart by it, nothing is hidden by it. */
export function shortOf(text: string): string {
  let hash = 0x811c9dc5
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(36)
}
