import { qualificationDefs, requirements } from './definitions.data.ts'
import { missingSets, type QualDef, type Requirement } from './rules.ts'

const defOf = new Map(qualificationDefs.map(def => [def.qualificationCode, def]))

export function definitionOf(code: string): QualDef | undefined {
  return defOf.get(code)
}

/** What the tag itself and the categories above it need; `kindIds` are the tag and what is above it. */
export function requirementsOf(kindIds: readonly number[], countries?: readonly string[]): Requirement[] {
  return requirements.filter(
    one => kindIds.includes(one.kindId) && (!countries || one.countries.some(country => countries.includes(country))),
  )
}

/** The papers that count for a tag. */
export function codesFor(kindIds: readonly number[]): string[] {
  return [...new Set(requirementsOf(kindIds).flatMap(one => one.sets.flat()))]
}

/** Whether the papers do for at least one of the places that ask for some; one handed in for no place is no use. */
export function doesSomewhere(kindIds: readonly number[], codes: readonly string[]): boolean {
  return requirementsOf(kindIds).some(one => missingSets(one, codes).length === 0)
}

export interface Gap {
  tagId: number
  countries: string[]
  missing: string[][]
  state: 'MISSING' | 'WAITING'
}

/** Where an app may not go for want of a paper: a gap a tag and place. `held` are the papers that count now, by tag. */
export function gapsOf(
  tags: readonly { tagId: number; kindIds: readonly number[] }[],
  countries: readonly string[],
  held: ReadonlyMap<number, readonly string[]>,
  waiting: ReadonlySet<number>,
): Gap[] {
  return tags.flatMap(({ tagId, kindIds }) =>
    requirementsOf(kindIds, countries).flatMap(one => {
      const missing = missingSets(one, held.get(tagId) ?? [])
      if (missing.length === 0) return []
      return [
        {
          tagId,
          countries: one.countries.filter(country => countries.includes(country)),
          missing: missing.map(set => [...set]),
          state: waiting.has(tagId) ? ('WAITING' as const) : ('MISSING' as const),
        },
      ]
    }),
  )
}
