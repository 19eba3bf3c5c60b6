export const verdicts = ['PASS', 'RISK', 'REJECT', 'ERROR'] as const
export type Verdict = (typeof verdicts)[number]

export const taskLimits = {
  urlLength: 2000,
  /** Open fetches of one team; more are refused until one ends. */
  fetchesOfTeam: 20,
  fetchMs: 15 * 60_000,
  checkedAtOnce: 100,
  checkMs: 15 * 60_000,
  videoMs: 5 * 60_000,
  videoReadMs: 20_000,
  /** An hour of film has some kilobytes of index; what reads more than this of it is lost. */
  videoReadBytes: 64 * 1024 ** 2,
  videoMemoryMb: 256,
  waitSeconds: 20,
  taskLifeMs: 7 * 24 * 3_600_000,
} as const

/** The worst of some verdicts; an error outweighs a pass, for nothing is known then. */
export function worstOf(found: readonly Verdict[]): Verdict {
  return (['REJECT', 'ERROR', 'RISK'] as const).find(verdict => found.includes(verdict)) ?? 'PASS'
}
