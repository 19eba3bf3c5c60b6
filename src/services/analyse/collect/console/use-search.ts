import { teamZone } from '../../../../console/session.ts'
import { shownZoneIds, type ZoneId } from '../../../../kernel/zones.ts'
import { faces, languages, limits, nameKinds, periods } from '../rules.ts'

const usualSteps = '/apps /apps/new /apps/$appId'

/** What the page shows, as its address says; steps of the funnel stand in it with a space between them. */
export function readUseSearch(raw: Record<string, unknown>) {
  const day = typeof raw['day'] === 'string' && /^20\d\d-\d\d-\d\d$/.test(raw['day']) ? raw['day'] : undefined
  return {
    zone: shownZoneIds.find(zone => zone === raw['zone']) ?? teamZone() ?? ('CN' as ZoneId),
    days: periods.find(days => String(days) === raw['days']) ?? 30,
    day,
    language: languages.find(language => language === raw['language']),
    face: faces.find(face => face === raw['face']),
    withBots: raw['withBots'] === 'true' ? true : undefined,
    steps: stepsOf(raw['steps']).length >= 2 ? String(raw['steps']) : usualSteps,
  }
}

export type UseSearch = ReturnType<typeof readUseSearch>

/** What the team's page shows; the table of names keeps its own part of the address. */
export function readTeamUseSearch(raw: Record<string, unknown>) {
  const { zone, days } = readUseSearch(raw)
  const kind = nameKinds.find(one => one === raw['kind']) ?? 'page'
  return { zone, days, kind, ...firstOfTable, q: undefined, sort: undefined }
}

/** The table begins at its first page. */
export const firstOfTable: { page?: undefined; cursor?: undefined } = { page: undefined, cursor: undefined }

/** The pages of a funnel, in their order. */
export function stepsOf(text: unknown): string[] {
  return String(text ?? '')
    .split(' ')
    .filter(step => step.startsWith('/'))
    .slice(0, limits.stepsOfFunnel)
}
