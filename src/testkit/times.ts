/** As unlikely as this by chance: a run that fails has found something. */
export const alpha = 1e-6
export const samples = 48

/** Milliseconds of two calls, taken in turns and in changing order, so that whatever else runs meets both alike. */
export async function timesOf(known: (turn: number) => Promise<number>, unknown: (turn: number) => Promise<number>) {
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let turn = -2; turn < samples; turn++) {
    const order = turn % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const which of order) {
      const ms = await (which === 'known' ? known : unknown)(turn)
      if (turn >= 0) times[which].push(ms)
    }
  }
  return times
}

/**
 * How likely two samples of the same thing lie as far apart as these: the two-sided p of the Mann-Whitney U test, by the
 * normal approximation with corrections for ties and continuity. Good from 20 samples a side.
 */
export function mannWhitneyP(left: readonly number[], right: readonly number[]): number {
  const [m, n] = [left.length, right.length]
  const all = [...left, ...right].toSorted((a, b) => a - b)
  const ranks = new Map<number, number>()
  let ties = 0
  for (let at = 0; at < all.length; ) {
    const value = all[at] ?? 0
    const end = all.lastIndexOf(value) + 1
    ranks.set(value, (at + 1 + end) / 2)
    ties += (end - at) ** 3 - (end - at)
    at = end
  }
  const u = left.reduce((sum, value) => sum + (ranks.get(value) ?? 0), 0) - (m * (m + 1)) / 2
  const total = m + n
  const spread = Math.sqrt(((m * n) / 12) * (total + 1 - ties / (total * (total - 1))))
  if (spread === 0) return 1
  return twoTails(Math.max(0, Math.abs(u - (m * n) / 2) - 0.5) / spread)
}

/** Both tails of the normal distribution beyond z; Numerical Recipes erfcc, right to seven digits however small. */
function twoTails(z: number): number {
  const x = z / Math.SQRT2
  const t = 1 / (1 + 0.5 * x)
  const terms = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
    0.17087277,
  ]
  return t * Math.exp(-x * x + terms.reduceRight((sum, term) => sum * t + term, 0))
}
