import { lifeCycle } from '../../../../kernel/life-cycle.ts'

export const testStates = [
  'DRAFT',
  'AUDITING',
  'AUDIT_REJECTED',
  'READY',
  'RUNNING',
  'STOPPED',
  'APPLIED',
  'DELETED',
] as const
export type TestState = (typeof testStates)[number]
export const testActions = [
  'edit',
  'submit',
  'cancel',
  'approve',
  'reject',
  'start',
  'stop',
  'expire',
  'drop',
  'conclude',
  'apply',
  'delete',
] as const
export type TestAction = (typeof testActions)[number]
export type TestFact = 'isFilled' | 'isImpartial' | 'hasNote' | 'isLive' | 'isFree' | 'isSettled' | 'isValid'

export const elements = ['icon', 'screenshots', 'video', 'brief', 'name'] as const
export type Element = (typeof elements)[number]
export const metrics = ['first_installs', 'retained_1d', 'conversion'] as const
export type Metric = (typeof metrics)[number]
export const startModes = ['AUTO_AFTER_AUDIT', 'MANUAL', 'TIMED'] as const
export const confidences = [0.9, 0.95, 0.99] as const
export const verdicts = ['WINNER', 'LOSER', 'INCONCLUSIVE', 'NEED_MORE'] as const
export type Verdict = (typeof verdicts)[number]
export const stopReasons = ['DEVELOPER', 'MAX_DAYS', 'OFF_SHELF', 'LISTING_CHANGED', 'SIGNIFICANT'] as const

const edit = 'material.edit'

/** Distribution 3.21. A deleted one keeps its row and its numbers. */
export const testCycle = lifeCycle<TestState, TestAction, TestFact>({
  entity: 'materialTest',
  states: testStates,
  moves: [
    { from: ['DRAFT'], action: 'edit', to: 'DRAFT', may: edit, event: 'material.updated' },
    { from: ['AUDIT_REJECTED'], action: 'edit', to: 'AUDIT_REJECTED', may: edit, event: 'material.updated' },
    {
      from: ['DRAFT', 'AUDIT_REJECTED'],
      action: 'submit',
      to: 'AUDITING',
      may: edit,
      needs: ['isLive', 'isFilled'],
      event: 'material.submitted',
    },
    { from: ['AUDITING'], action: 'cancel', to: 'DRAFT', may: edit, event: 'material.cancelled' },
    {
      from: ['AUDITING'],
      action: 'approve',
      to: 'READY',
      may: 'review.decide',
      needs: ['isImpartial'],
      event: 'material.approved',
    },
    {
      from: ['AUDITING'],
      action: 'reject',
      to: 'AUDIT_REJECTED',
      may: 'review.decide',
      needs: ['isImpartial', 'hasNote'],
      event: 'material.rejected',
    },
    {
      from: ['READY'],
      action: 'start',
      to: 'RUNNING',
      may: edit,
      needs: ['isLive', 'isFree', 'isSettled'],
      event: 'material.started',
    },
    { from: ['RUNNING'], action: 'stop', to: 'STOPPED', may: edit, event: 'material.stopped' },
    { from: ['RUNNING'], action: 'expire', to: 'STOPPED', may: 'system', event: 'material.stopped' },
    { from: ['RUNNING'], action: 'drop', to: 'STOPPED', may: 'system', event: 'material.stopped' },
    { from: ['RUNNING'], action: 'conclude', to: 'STOPPED', may: 'system', event: 'material.stopped' },
    {
      from: ['STOPPED'],
      action: 'apply',
      to: 'APPLIED',
      may: edit,
      needs: ['isLive', 'isValid'],
      event: 'material.applied',
    },
    {
      from: ['DRAFT', 'AUDIT_REJECTED', 'READY', 'STOPPED', 'APPLIED'],
      action: 'delete',
      to: 'DELETED',
      may: edit,
      event: 'material.deleted',
    },
  ],
})

export const limits = {
  nameLength: 50,
  variants: 3,
  variantNameLength: 30,
  testsOfApp: 100,
  langs: 20,
  countries: 250,
  leastDays: 7,
  mostDays: 90,
  noteLength: 1000,
  /** As of a listing. */
  appNameLength: 64,
  briefLength: 80,
  /** Chance that the test sees the change if it is there. */
  power: 0.8,
} as const

export const harmonyTypes: readonly string[] = ['HARMONY', 'ATOMIC_SERVICE']

/** The whole divided as evenly as it goes, the control first. */
export function evenShares(arms: number): number[] {
  const each = Math.floor(100 / arms)
  return Array.from({ length: arms }, (_, at) => (at === 0 ? 100 - each * (arms - 1) : each))
}

/** What of a variant's materials each element is. */
export const partOf = {
  icon: 'icon',
  screenshots: 'screenshots',
  video: 'film',
  brief: 'brief',
  name: 'name',
} as const satisfies Record<Element, string>

interface Filled {
  lang: string
  icon: unknown
  screenshots: unknown
  film: unknown
  brief: unknown
  name: unknown
}

/** The elements that a variant still lacks, language by language. */
export function missingOf(
  wanted: { elements: readonly Element[]; langs: readonly string[] },
  materials: readonly Filled[],
): { lang: string; element: Element }[] {
  return wanted.langs.flatMap(lang => {
    const own = materials.find(one => one.lang === lang)
    return wanted.elements.filter(element => own?.[partOf[element]] == null).map(element => ({ lang, element }))
  })
}
