/** The one move between two orders of a list: what went, and behind what it stands now; null where nothing moved. */
export function moveOf(
  before: readonly string[],
  after: readonly string[],
): { serviceId: string; after: string | null } | null {
  const first = before.findIndex((one, at) => one !== after[at])
  if (first < 0) return null
  // What stood first at the difference went down, unless the one that stands there now came up.
  const down = before[first] as string
  const without = before.filter(one => one !== down)
  const isDown = without.every((one, at) => one === after.filter(other => other !== down)[at])
  const serviceId = isDown ? down : (after[first] as string)
  const place = after.indexOf(serviceId)
  return { serviceId, after: after[place - 1] ?? null }
}
