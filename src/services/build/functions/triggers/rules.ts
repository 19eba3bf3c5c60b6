import { Cron } from 'croner'

export const triggerTypes = ['HTTP', 'CRON', 'CLOUDDB', 'CLOUDSTORAGE', 'AUTH', 'EVENT'] as const
export type TriggerType = (typeof triggerTypes)[number]

/** Who may call the address of a trigger: anybody, a signed-in user of the app, the app, or a server of the team. */
export const authTypes = ['apigw-client', 'cloudgw-client', 'user', 'none'] as const
export type AuthType = (typeof authTypes)[number]

export const eventsOf = {
  CLOUDDB: ['INSERT', 'UPDATE', 'DELETE'],
  CLOUDSTORAGE: ['FINALIZE', 'DELETE', 'METADATA_UPDATE'],
  AUTH: ['USER_CREATED', 'USER_DELETED', 'SIGN_IN'],
} as const
export const missedPolicies = ['SKIP', 'RUN_ONCE'] as const
export const topicPattern = '^[A-Za-z][A-Za-z0-9._-]{0,127}$'

export const triggerLimits = {
  ofVersion: 10,
  httpBodyBytes: 4 * 1024 * 1024,
  /** A time of a timer is missed when nobody was there for it so long. */
  graceMs: 60_000,
} as const

/** All that any kind may have; what a kind has is in `configOf`. */
export interface TriggerWishes {
  authType?: AuthType
  enableUrlDecode?: boolean
  cron?: string
  timezone?: string
  missed?: (typeof missedPolicies)[number]
  payload?: unknown
  zone?: string
  objectType?: string
  fields?: string[]
  bucketId?: string
  prefix?: string
  suffix?: string
  events?: string[]
  topic?: string
}

export interface ConfigProblem {
  pointer: string
  rule: string
  message: string
}

/** What a trigger of a kind keeps of what was wished, or what is wrong with it. */
export function configOf(type: TriggerType, wish: TriggerWishes): TriggerWishes | ConfigProblem {
  switch (type) {
    case 'HTTP':
      return { authType: wish.authType ?? 'none', enableUrlDecode: wish.enableUrlDecode ?? true }
    case 'CRON': {
      const { cron = '', timezone = 'UTC', missed = 'SKIP', payload = null } = wish
      return cronProblem(cron.trim(), timezone) ?? { cron: cron.trim().replace(/\s+/g, ' '), timezone, missed, payload }
    }
    case 'CLOUDDB': {
      if (!wish.objectType) return needed('/config/objectType', 'names the object type')
      const kept = { objectType: wish.objectType, ...(wish.zone ? { zone: wish.zone } : {}) }
      return withEvents(type, wish, wish.fields?.length ? { ...kept, fields: [...new Set(wish.fields)] } : kept)
    }
    case 'CLOUDSTORAGE': {
      const { bucketId, prefix, suffix } = wish
      const kept = {
        ...(bucketId ? { bucketId } : {}),
        ...(prefix ? { prefix } : {}),
        ...(suffix ? { suffix } : {}),
      }
      return withEvents(type, wish, kept)
    }
    case 'AUTH':
      return withEvents(type, wish, {})
    case 'EVENT':
      return new RegExp(topicPattern).test(wish.topic ?? '')
        ? { topic: wish.topic as string }
        : { pointer: '/config/topic', rule: 'pattern', message: 'letters, digits, dots, _ and -, a letter first' }
  }
}

const needed = (pointer: string, message: string): ConfigProblem => ({ pointer, rule: 'required', message })

function withEvents(type: keyof typeof eventsOf, { events = [] }: TriggerWishes, kept: TriggerWishes) {
  const all: readonly string[] = eventsOf[type]
  const unknown = events.find(one => !all.includes(one))
  if (unknown !== undefined)
    return { pointer: '/config/events', rule: 'enum', message: `${unknown} is none of ${all.join(', ')}` }
  if (events.length === 0) return needed('/config/events', `names at least one of ${all.join(', ')}`)
  return { ...kept, events: all.filter(one => events.includes(one)) }
}

/** Why a timer cannot be set like this; null when it can. */
export function cronProblem(cron: string, timezone: string): ConfigProblem | null {
  const wrong = (rule: string, message: string) => ({ pointer: '/config/cron', rule, message })
  if (!isTimezone(timezone))
    return {
      pointer: '/config/timezone',
      rule: 'timezone',
      message: `${timezone} is no time zone, as Europe/Berlin is`,
    }
  const fields = cron.split(/\s+/)
  if (fields.length !== 5 && fields.length !== 6) return wrong('fields', 'has five fields, or six with seconds first')
  // One second of a minute: so two runs are never less than a minute apart.
  if (fields.length === 6 && !/^[0-9]{1,2}$/.test(fields[0] ?? ''))
    return wrong('interval', 'runs at most once a minute: the first of six fields is one second, as 0')
  try {
    if (nextRuns(cron, timezone, Date.UTC(2026, 0, 1), 1).length === 0) return wrong('never', 'names no day that comes')
    return null
  } catch (error) {
    return wrong('cron', (error as Error).message.replace(/^CronPattern: /, '').slice(0, 200))
  }
}

function isTimezone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const clockOf = (cron: string, timezone: string) => new Cron(cron, { timezone, mode: '5-or-6-parts' })

/** The next times of a timer after an instant. Throws for what `cronProblem` refuses. */
export function nextRuns(cron: string, timezone: string, after: number, howMany: number): number[] {
  return clockOf(cron, timezone)
    .nextRuns(howMany, new Date(after))
    .map(one => one.getTime())
}

/** The last time of a timer that is not after an instant. */
export function lastRun(cron: string, timezone: string, until: number): number | null {
  return (
    clockOf(cron, timezone)
      .previousRuns(1, new Date(until + 1))[0]
      ?.getTime() ?? null
  )
}

/**
 * What a timer that is due does now: the time it fires for, null where what it missed is passed over; and when it is due
 * next. However many times went by, it fires once.
 */
export function dueOf(
  timer: { cron: string; timezone: string; missed: 'SKIP' | 'RUN_ONCE' },
  dueAt: number,
  now: number,
): { fireAt: number | null; nextAt: number | null } {
  const { cron, timezone, missed } = timer
  const last = Math.max(dueAt, lastRun(cron, timezone, now) ?? dueAt)
  const isMissed = now - last > triggerLimits.graceMs
  return {
    fireAt: isMissed && missed === 'SKIP' ? null : last,
    nextAt: nextRuns(cron, timezone, now, 1)[0] ?? null,
  }
}

type Row = Readonly<Record<string, unknown>>

/** The fields in which two images of a row differ, by their JSON. */
export function changedFields(before: Row | null, after: Row | null): string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names].filter(name => JSON.stringify(before?.[name] ?? null) !== JSON.stringify(after?.[name] ?? null))
}

export interface RowChange {
  zone: string
  objectType: string
  before: Row | null
  after: Row | null
}

/** What happened to a row. */
export function kindOfChange({
  before,
  after,
}: Pick<RowChange, 'before' | 'after'>): (typeof eventsOf.CLOUDDB)[number] {
  return before === null ? 'INSERT' : after === null ? 'DELETE' : 'UPDATE'
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Whether a trigger waits for this change. Names of the database do not tell large letters from small ones. */
export function waitsForRow(config: TriggerWishes, change: RowChange): boolean {
  const { zone, objectType = '', events = [], fields } = config
  const kind = kindOfChange(change)
  if (!same(objectType, change.objectType) || !events.includes(kind)) return false
  if (zone !== undefined && !same(zone, change.zone)) return false
  if (fields === undefined || kind !== 'UPDATE') return true
  const changed = changedFields(change.before, change.after)
  return fields.some(field => changed.some(one => same(one, field)))
}

/** Whether a trigger waits for this file. */
export function waitsForFile(config: TriggerWishes, file: { event: string; bucketId: string; path: string }): boolean {
  const { bucketId, prefix = '', suffix = '', events = [] } = config
  return (
    events.includes(file.event) &&
    (bucketId === undefined || bucketId === file.bucketId) &&
    file.path.startsWith(prefix) &&
    file.path.endsWith(suffix)
  )
}
