import type { ZoneId } from '../../../kernel/zones.ts'

export const projectLimits = { nameLength: 64, projectsOfTeam: 100 } as const

export const projectSorts = ['-createdAt', 'createdAt', 'name', '-name', '-updatedAt', 'updatedAt'] as const
export type ProjectSort = (typeof projectSorts)[number]

/** The name as kept: NFKC, no controls, single spaces. */
export function projectName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The name as compared: two names of a team may not differ only in case. */
export function projectNameKey(name: string): string {
  return projectName(name).toLowerCase()
}

/** Whether projects may be made in a zone, or moved there: in China only while its switch is on (specification, section 6). */
export function isZoneOpen(zone: ZoneId, isChinaOn: boolean): boolean {
  return zone !== 'CN' || isChinaOn
}

/** What is wrong with a name once it is normalised, or null. */
export function nameProblem(name: string): string | null {
  const length = [...projectName(name)].length
  if (length === 0) return 'must have a visible character'
  return length > projectLimits.nameLength ? `must have at most ${projectLimits.nameLength} characters` : null
}
