/** What is counted of devices while a version comes in phases: of it, and of the full version beside it. */
export const healthKinds = ['users', 'tried', 'failed', 'uninstalled', 'crashed', 'frozen', 'rated'] as const
export type HealthKind = (typeof healthKinds)[number]

export const mostStars = 5
/** What the sums keep instead of `rated`: how many devices gave so many stars. */
export type StarKind = `stars${1 | 2 | 3 | 4 | 5}`

/** What a report says of its device. Who tells of a crash, a removal or an opinion has the version. */
export const kindsOf: Readonly<Record<string, readonly HealthKind[]>> = {
  install_ok: ['users', 'tried'],
  install_fail: ['tried', 'failed'],
  open: ['users'],
  uninstall: ['users', 'uninstalled'],
  crash: ['users', 'crashed'],
  anr: ['users', 'frozen'],
  rate: ['users', 'rated'],
}

export const hourMs = 3_600_000
/** A picture of more hours than this goes by days. */
export const mostHours = 72

export const hourOf = (at: number) => Math.floor(at / hourMs) * hourMs
