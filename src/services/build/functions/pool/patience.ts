/** How long the last of those who wait will wait for the copies that there are, milliseconds; endless where that is not known. */
export function expectedWaitMs(
  waiting: number,
  copies: readonly { latencyMs: number | null }[],
  concurrency: number,
): number {
  const known = copies.flatMap(({ latencyMs }) => latencyMs ?? [])
  if (known.length === 0) return Number.POSITIVE_INFINITY
  const latencyMs = known.reduce((sum, one) => sum + one, 0) / known.length
  return (waiting * latencyMs) / (copies.length * concurrency)
}
