/** What somebody looked at who may want to buy (specification, section 7). */
export const dataTypes = ['agcp_demoproject_browsing', 'agc_service_browsing', 'ecology_service_browsing'] as const
export type DataType = (typeof dataTypes)[number]

export const limits = { textLength: 64, keptDays: 180 } as const

/** Clues are kept only of teams in China (specification, section 7). */
export function isClueCountry(countryCode: string | undefined): boolean {
  return countryCode === 'CN'
}
