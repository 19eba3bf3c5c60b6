import type { ReportPlace } from './report-address.ts'

/** What the frame needs of the service that takes reports, which it does not know. */
export interface ReportPort {
  /** Below each zone's address. */
  path: string
  /** Where reports go; undefined while nobody answers. */
  readPlaces: () => Promise<readonly ReportPlace[] | undefined>
  /** Proves the team of this tab to the report addresses. */
  readTicket: () => Promise<{ ticket: string; expiresAt: number } | undefined>
}

type ReportSource = () => Promise<{ reportPort: ReportPort }>
let source: ReportSource | undefined

/** Takes over the service that takes reports, once, from `main`. */
export function connectReports(given: ReportSource): void {
  source = given
}

export async function reportPort(): Promise<ReportPort> {
  if (!source) throw new Error('no service takes reports')
  return (await source()).reportPort
}
