import { predicateFor, type RulePredicate } from '../../rules/public.ts'
import type { Place } from '../model.ts'
import { type Actor, reachedBy, ruleColumnsOf, ruleRequest, rulesFor, scopeOf } from '../objects/access.ts'
import type { Query } from '../objects/conditions.ts'
import { matches } from '../objects/matches.ts'
import type { SeenField } from '../objects/read.ts'
import type { AppType } from '../wire/app-version.ts'
import type { LoggedRow } from './change.ts'

/** What decides which rows listeners see: their conditions, rights and rules, with all that is known put in. */
export interface Sight {
  /** Listeners of equal keys see the same rows. */
  key: string
  /** For people: `all`, `own rows of a user`, `rules`. */
  sees: string
  isNothing: boolean
  rulesVersion: number
  schemaVersion: number
  /** The fields that an app of an older schema knows; null: all. */
  fields: readonly SeenField[] | null
  test(row: LoggedRow): boolean
}

/** Refuses where the matrix gives the caller nothing to read. */
export async function sightOf(
  place: Place,
  actor: Actor,
  query: Query,
  conditionsText: string,
  app: AppType | null,
): Promise<Sight> {
  const reach = reachedBy(place, actor, 'Read')
  const uid = actor.standing.isAdministrator ? null : actor.standing.uid
  const rules = await rulesFor(place, actor)
  const predicate = rules && (await predicateOf(place, actor, rules))
  const own = reach === 'own' ? uid : null
  return {
    key: JSON.stringify([conditionsText, own, predicate?.key ?? null, app?.version ?? null]),
    sees: own !== null ? 'own' : predicate && predicate.kind !== 'all' ? 'rules' : 'all',
    isNothing: predicate?.kind === 'none',
    rulesVersion: rules?.version ?? 0,
    schemaVersion: place.database.schemaVersion,
    fields: app?.fields ?? null,
    test: row => (own === null || row.creator === own) && matches(query.where, row) && seesByRules(predicate, row),
  }
}

function predicateOf(
  place: Place,
  actor: Actor,
  rules: NonNullable<Awaited<ReturnType<typeof rulesFor>>>,
): Promise<RulePredicate> {
  const openPath = place.type.keys.map(key => `data.${key.name}`)
  const request = { ...ruleRequest(place, actor, 'list', []), openPath }
  return predicateFor(place.server, scopeOf(place), rules, request, ruleColumnsOf(place.type))
}

const seesByRules = (predicate: RulePredicate | null, row: LoggedRow): boolean =>
  predicate === null || predicate.kind === 'all' || (predicate.kind === 'rows' && predicate.sees(row.resource))

/** Who is told what became of rows. */
export interface Subscriber {
  readonly place: Place
  /** The tail of the frame was put together once for all of a group. */
  tell(told: Told[], tail: string, mark: string): void
  /** Everything anew. */
  resync(): Promise<void>
}

/** Listeners of one query who see the same rows: each change is judged once for all of them. */
export class Group {
  readonly place: Place
  readonly sight: Sight
  readonly conditions: number
  readonly subscribers = new Set<Subscriber>()
  sent = 0

  constructor(place: Place, sight: Sight, conditions: number) {
    this.place = place
    this.sight = sight
    this.conditions = conditions
  }
}

/** What became of a row for those of a group. */
export type Told = { kind: 'added' | 'modified'; text: string } | { kind: 'removed'; text: string } | null

/** A deleted row is judged by what it was; a row that is no longer seen is only named. */
export function tellOf(group: Group, before: LoggedRow | null, after: LoggedRow | null): Told {
  const was = before !== null && group.sight.test(before)
  const is = after !== null && group.sight.test(after)
  if (is && after) return { kind: was ? 'modified' : 'added', text: after.textIn(group.place, group.sight.fields) }
  return was && before ? { kind: 'removed', text: before.keyJson() } : null
}

/** The part of a frame that all listeners of a group share. */
export function tailOf(told: readonly Told[], mark: string): string {
  const of = (kind: 'added' | 'modified' | 'removed') =>
    told.flatMap(one => (one?.kind === kind ? [one.text] : [])).join(',')
  return `"added":[${of('added')}],"modified":[${of('modified')}],"removed":[${of('removed')}],"version":"${mark}"}`
}
