import type { CallSpec } from '../../../kernel/contract.ts'
import { lifeCycle } from '../../../kernel/life-cycle.ts'

/** Whom an agreement binds: each person, or a team, for which its leader signs. */
export const signers = ['person', 'team'] as const
export type Signer = (typeof signers)[number]

/** The country of documents that hold wherever a country has none of its own. ISO 3166 leaves ZZ to its users. */
export const everywhere = 'ZZ'

export const dayMs = 86_400_000

export const limits = {
  nameLength: 80,
  titleLength: 200,
  bodyLength: 200_000,
  noteLength: 1_000,
  graceDays: 365,
  number: 99_999,
  kinds: 100,
  signsAtOnce: 50,
  permissionsOfKind: 20,
} as const

export const consentPurposes = [
  'ANALYTICS',
  'PUSH_MARKETING',
  'SMS_MARKETING',
  'EMAIL_MARKETING',
  'LOCATION',
  'PROFILE',
] as const
export type ConsentPurpose = (typeof consentPurposes)[number]

/** What an agreement is about, without its text: the user agreement, the terms of paid apps. */
export interface Kind {
  agrType: number
  branchId: number
  signer: Signer
  /** Nothing is written before it is signed; of a team, nothing that needs one of `permissions`. */
  isRequired: boolean
  permissions: readonly string[]
}

/** A published version of one kind in one country. */
export interface Published {
  version: number
  effectiveAt: number
  graceDays: number
  /** False for a mere mend of the text: who signed before need not sign again. */
  requireResign: boolean
}

export interface Standing {
  latest: Published
  isAgree: boolean
  needSign: boolean
  /** Until then it may wait; null where nothing has to be signed. */
  graceUntil: number | null
  /** The grace is over. */
  isBlocking: boolean
}

/** The documents of a person's or team's country: its own once one is in force there, else those for everywhere. */
export function seriesOf<P extends Published>(
  byCountry: ReadonlyMap<string, readonly P[]>,
  country: string,
  now: number,
): { country: string; versions: readonly P[] } | null {
  for (const candidate of [country, everywhere]) {
    const versions = byCountry.get(candidate)?.filter(one => one.effectiveAt <= now) ?? []
    if (versions.length > 0) return { country: candidate, versions }
  }
  return null
}

/**
 * Where somebody stands who last agreed to `agreed`; 0 is never, or withdrawn. `versions` are in force, the oldest first.
 * Of several that wait, the first one's grace counts: a later version is no new respite.
 */
export function standingOf(
  kind: Pick<Kind, 'isRequired'>,
  versions: readonly Published[],
  agreed: number,
  now: number,
): Standing | null {
  const latest = versions.at(-1)
  if (!latest) return null
  const isAgree = agreed > 0
  const waiting = versions.filter(one => one.version > agreed && (one.requireResign || !isAgree))
  const needSign = waiting.length > 0 && (kind.isRequired || isAgree)
  const graceUntil = needSign ? Math.min(...waiting.map(one => one.effectiveAt + one.graceDays * dayMs)) : null
  return {
    latest,
    isAgree,
    needSign,
    graceUntil,
    isBlocking: kind.isRequired && graceUntil !== null && now >= graceUntil,
  }
}

const asks = /(^|\/)(list|query|check|verify)(\/|$)/

/** Whether a call waits for signatures: one that writes, unless its contract lets it go on. */
export function waitsForSignature(call: CallSpec): boolean {
  return call.method !== 'GET' && !call.beforeSigning && call.rate !== 'read' && !asks.test(call.path)
}

/** The text to show for a language: itself, its base language, English, else the first there is. */
export function languageShown(wanted: string | undefined, there: readonly string[]): string | undefined {
  const sorted = [...there].sort()
  const base = (key: string) => key.slice(0, key.startsWith('fil') || key.startsWith('mai') ? 3 : 2)
  const alike = (key: string) => sorted.find(one => base(one) === base(key))
  if (wanted !== undefined && sorted.includes(wanted)) return wanted
  const near = wanted === undefined ? undefined : alike(wanted)
  return near ?? (sorted.includes('enUS') ? 'enUS' : (alike('enUS') ?? sorted[0]))
}

/** The key of texts for a language of the console. */
export const languageKeyOf = { zh: 'zhCN', en: 'enUS', ru: 'ruRU' } as const

/** A document of the store. What was published is never changed; only what is not yet in force can be recalled. */
export const documentCycle = lifeCycle({
  entity: 'agreement_document',
  states: ['draft', 'published', 'recalled'],
  moves: [
    {
      from: ['draft'],
      action: 'publish',
      to: 'published',
      may: 'agreements.publish',
      needs: ['hasText', 'isAhead', 'comesAfterLast'],
      event: 'agreement.published',
    },
    { from: ['draft'], action: 'delete', to: null, may: 'agreements.publish', event: 'agreement.deleted' },
    {
      from: ['published'],
      action: 'recall',
      to: 'recalled',
      may: 'agreements.publish',
      needs: ['isUpcoming'],
      event: 'agreement.recalled',
    },
  ],
})
export type DocumentState = (typeof documentCycle.states)[number]
export type DocumentAction = (typeof documentCycle.moves)[number]['action']
export const documentActions = ['publish', 'delete', 'recall'] as const

/** `lastEffectiveAt` is that of the version before, which is not recalled. */
export function documentFacts(
  document: { effectiveAt: number | null; texts: number; lastEffectiveAt: number | null },
  now: number,
) {
  const at = document.effectiveAt ?? now
  return {
    hasText: document.texts > 0,
    isAhead: at >= now,
    comesAfterLast: document.lastEffectiveAt === null || at > document.lastEffectiveAt,
    isUpcoming: at > now,
  }
}

/** What a team's own agreement with its users is about. */
export const developerKinds = ['EULA', 'PRIVACY', 'SERVICE'] as const
export type DeveloperKind = (typeof developerKinds)[number]

/** A team's own agreement, from the draft to the one that comes after it. */
export const developerCycle = lifeCycle({
  entity: 'developer_agreement',
  states: ['draft', 'submitted', 'approved', 'rejected', 'effective', 'superseded'],
  moves: [
    {
      from: ['draft'],
      action: 'update',
      to: 'draft',
      may: 'agreements.edit',
      event: 'developer_agreement.updated',
    },
    {
      from: ['draft'],
      action: 'submit',
      to: 'submitted',
      may: 'agreements.edit',
      event: 'developer_agreement.submitted',
    },
    { from: ['draft'], action: 'delete', to: null, may: 'agreements.edit', event: 'developer_agreement.deleted' },
    {
      from: ['submitted'],
      action: 'approve',
      to: 'approved',
      may: 'agreements.decide',
      event: 'developer_agreement.approved',
    },
    {
      from: ['submitted'],
      action: 'reject',
      to: 'rejected',
      may: 'agreements.decide',
      needs: ['hasNote'],
      event: 'developer_agreement.rejected',
    },
    {
      from: ['rejected'],
      action: 'revise',
      to: 'draft',
      may: 'agreements.edit',
      event: 'developer_agreement.revised',
    },
    {
      from: ['approved'],
      action: 'start',
      to: 'effective',
      may: 'system',
      needs: ['isDue'],
      event: 'developer_agreement.effective',
    },
    {
      from: ['effective'],
      action: 'supersede',
      to: 'superseded',
      may: 'system',
      event: 'developer_agreement.superseded',
    },
  ],
})
export type DeveloperState = (typeof developerCycle.states)[number]
export const developerActions = ['update', 'submit', 'delete', 'revise'] as const
export const decisions = ['approve', 'reject'] as const
