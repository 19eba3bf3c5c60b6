/** What a change of zone brings with it. Apps and files never move by themselves: their data stays where people agreed to. */
export const consequences = ['servicesStartEmpty', 'servicesEnd', 'configFilesStale', 'agreementsEnd'] as const
export type ConsequenceKind = (typeof consequences)[number]
export const obstacles = ['apps', 'notServed', 'closed'] as const
export type ObstacleKind = (typeof obstacles)[number]

export const changeLifeMs = 10 * 60_000
