import type { VersionAction } from '../life/rules.ts'

/** In the order people look for them, the one that leads on last. `edit` stands beside what it changes. */
export const shownActions = [
  'delete',
  'withdraw',
  'urge',
  'shelfOff',
  'rollBack',
  'cancelShelfOff',
  'acknowledgeShelfOff',
  'setMinimum',
  'changeTime',
  'release',
  'submit',
] as const satisfies readonly VersionAction[]
export const leadingActions: readonly VersionAction[] = ['submit', 'release']

export type ShownAction = (typeof shownActions)[number]
