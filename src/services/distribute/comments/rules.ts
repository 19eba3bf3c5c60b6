import { lifeCycle } from '../../../kernel/life-cycle.ts'

export const limits = {
  titleLength: 60,
  textLength: 1_000,
  nicknameLength: 40,
  deviceLength: 100,
  noteLength: 500,
  reportsPerDay: 20,
  /** New comments on one app from one network and day. */
  commentsOfNetwork: 10,
  /** Writes of one comment. */
  editsPerDay: 10,
  statsDays: 90,
  statsDaysMost: 366,
} as const

export const dayMs = 86_400_000
export const mostStars = 5
export const stars = [5, 4, 3, 2, 1] as const

/** What a report says is wrong with a comment. */
export const policies = ['SPAM', 'ADVERTISING', 'HATE', 'PERSONAL_DATA', 'OFF_TOPIC', 'WRONG_APP', 'ILLEGAL'] as const
export type Policy = (typeof policies)[number]

export const commentSorts = ['newest', 'helpful', 'starsHigh', 'starsLow'] as const
export type CommentSort = (typeof commentSorts)[number]

/** Reported ones are still shown, until staff decide. */
export const commentCycle = lifeCycle({
  entity: 'comment',
  states: ['VISIBLE', 'APPEALED', 'HIDDEN', 'DELETED'],
  moves: [
    { from: ['VISIBLE'], action: 'report', to: 'APPEALED', may: 'comments.report', event: 'comment.reported' },
    {
      from: ['APPEALED'],
      action: 'keep',
      to: 'VISIBLE',
      may: 'review.decide',
      needs: ['isImpartial'],
      event: 'comment.kept',
    },
    {
      from: ['VISIBLE', 'APPEALED'],
      action: 'hide',
      to: 'HIDDEN',
      may: 'review.decide',
      needs: ['isImpartial'],
      event: 'comment.hidden',
    },
    {
      from: ['HIDDEN'],
      action: 'restore',
      to: 'VISIBLE',
      may: 'review.decide',
      needs: ['isImpartial'],
      event: 'comment.restored',
    },
    {
      from: ['VISIBLE', 'APPEALED', 'HIDDEN'],
      action: 'delete',
      to: 'DELETED',
      may: 'system',
      event: 'comment.deleted',
    },
  ],
})
export const commentStates = commentCycle.states
export type CommentState = (typeof commentCycle.states)[number]
export const commentActions = ['report', 'keep', 'hide', 'restore'] as const

/** Nobody reads a reply before its text was checked. */
export const replyCycle = lifeCycle({
  entity: 'reply',
  states: ['PENDING_CHECK', 'VISIBLE', 'REJECTED', 'DELETED'],
  moves: [
    { from: ['PENDING_CHECK'], action: 'publish', to: 'VISIBLE', may: 'system', event: 'reply.published' },
    { from: ['PENDING_CHECK'], action: 'reject', to: 'REJECTED', may: 'system', event: 'reply.rejected' },
    {
      from: ['PENDING_CHECK', 'VISIBLE', 'REJECTED'],
      action: 'edit',
      to: 'PENDING_CHECK',
      may: 'comments.reply',
      event: 'reply.submitted',
    },
    {
      from: ['PENDING_CHECK', 'VISIBLE', 'REJECTED'],
      action: 'delete',
      to: 'DELETED',
      may: 'comments.reply',
      event: 'reply.deleted',
    },
  ],
})
export const replyStates = replyCycle.states
export type ReplyState = (typeof replyCycle.states)[number]
export const replyActions = ['edit', 'delete'] as const

const marks = /<\/?[a-z!?][^<>]*>/gi
/** Format marks that turn the direction of text around or hide something in it. */
const hiders = /[\u00ad\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that nobody may write
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** Whether a text has characters that no keyboard writes. */
export function hasControls(text: string): boolean {
  return controls.test(text)
}

/** A text as it is kept: without HTML, however it is nested, without marks that hide something, blank lines together. */
export function plainText(text: string): string {
  let kept = text.normalize('NFC').replace(/\r\n?/g, '\n').replaceAll('\t', ' ').replace(hiders, '').toWellFormed()
  for (let before = ''; before !== kept; ) {
    before = kept
    kept = kept.replace(marks, '')
  }
  return kept.replace(/\n{3,}/g, '\n\n').trim()
}

/** As a search looks through it: the database's own lower case knows ASCII alone. */
export function lowered(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** The first part of a language tag, by which comments are told apart: `zh` of `zh-Hans-CN`. */
export function tongueOf(language: string): string {
  return (language.split(/[-_]/)[0] ?? language).toLowerCase().slice(0, 3)
}

/** How many stars an app is thought to have before anybody rated it, and how many ratings that is worth. */
const prior = { stars: 3.5, weight: 10 } as const

/** What is shown for an app (Bayesian average): few ratings stay near the middle. Null without any. */
export function displayedStars(sum: number, count: number): number | null {
  if (count === 0) return null
  return Math.round(((prior.stars * prior.weight + sum) / (prior.weight + count)) * 10) / 10
}

/** The plain average to two places; null without any. */
export function averageStars(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round((sum / count) * 100) / 100
}

/** How many ratings have so many stars: five stars first. */
export type Histogram = [number, number, number, number, number]

/** Adds up what a histogram says. */
export function summed(histogram: readonly number[]) {
  const count = histogram.reduce((total, one) => total + one, 0)
  const sum = histogram.reduce((total, one, at) => total + one * (mostStars - at), 0)
  return { count, average: averageStars(sum, count), display: displayedStars(sum, count) }
}
