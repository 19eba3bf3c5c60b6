export const detectionKinds = ['CONTEXT', 'PICTURES', 'VIDEO', 'FIT'] as const
export type DetectionKind = (typeof detectionKinds)[number]

export const levels = ['BLOCK', 'WARN', 'INFO'] as const
export type Level = (typeof levels)[number]
export type Verdict = Level | 'PASS'

export const wordLanguages = ['all', 'zh', 'en', 'ru'] as const
export type WordLanguage = (typeof wordLanguages)[number]
export const wordTopics = ['banned', 'price', 'superlative', 'ranking', 'medical', 'other'] as const
export type WordTopic = (typeof wordTopics)[number]

/** Where a text stands; names are held to more. */
export const textFields = ['appName', 'briefInfo', 'appDesc', 'newFeatures', 'other'] as const
export type TextField = (typeof textFields)[number]

export const keptKinds = ['DEMO', 'COPYRIGHT', 'VANTEST', 'ALPHA'] as const
export type KeptKind = (typeof keptKinds)[number]

export const limits = {
  texts: 20,
  textLength: 8000,
  pictures: 20,
  hits: 50,
  sampleLength: 60,
  wordLength: 60,
  noteLength: 300,
  deadlineMs: 5 * 60_000,
  /** What was detected is forgotten after this. */
  keptMs: 90 * 86_400_000,
  ratingTextLength: 1000,
  titleLength: 120,
  bodyLength: 4000,
  linkLength: 1000,
  countries: 250,
  underWay: 10,
} as const

/** One thing found, where, and what was seen. */
export interface Hit {
  rule: string
  level: Level
  /** Which of the texts or pictures that were sent, from 0. */
  index: number
  /** Of a text: where it begins, and the words; of a picture or video: what was measured. */
  at: number | null
  seen: string
}

/** The worst of what was found. */
export function verdictOf(hits: readonly { level: Level }[]): Verdict {
  return levels.find(level => hits.some(hit => hit.level === level)) ?? 'PASS'
}

export type ActivityState = 'COMING' | 'RUNNING' | 'OVER'

export function activityState(of: { startAt: number | null; endAt: number | null }, now: number): ActivityState {
  if (of.startAt !== null && now < of.startAt) return 'COMING'
  return of.endAt !== null && now >= of.endAt ? 'OVER' : 'RUNNING'
}
