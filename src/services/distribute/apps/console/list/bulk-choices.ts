import type { AppView } from '../app-calls.ts'

export const bulkActions = ['submit', 'together', 'withdraw', 'shelfOff'] as const
export type BulkAction = (typeof bulkActions)[number]

/** The versions of the chosen apps that an action is about: the one being prepared, or the one on shelf. */
export function versionsFor(action: BulkAction, apps: readonly AppView[]): string[] {
  return apps.flatMap(app => (action === 'shelfOff' ? (app.shelf?.versionId ?? []) : (app.openVersionId ?? [])))
}
