import type { Tone } from '../../../../../console/kit/StatusBadge.tsx'
import type { DocumentState } from '../../rules.ts'

/** A published version is in force, to come, or of before. */
export type ShownState = Exclude<DocumentState, 'published'> | 'inForce' | 'upcoming' | 'past'

export function shownState(
  document: { state: DocumentState; isInForce: boolean; effectiveAt: number | null },
  now = Date.now(),
): ShownState {
  if (document.state !== 'published') return document.state
  if (document.isInForce) return 'inForce'
  return (document.effectiveAt ?? 0) > now ? 'upcoming' : 'past'
}

export const documentTones: Record<ShownState, Tone> = {
  draft: 'off',
  inForce: 'good',
  upcoming: 'waiting',
  past: 'stopped',
  recalled: 'bad',
}
