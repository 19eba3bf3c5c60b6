import type { TriggerType, TriggerWishes } from '../triggers/rules.ts'
import { triggerTypes } from '../triggers/rules.ts'
import { fieldTypes } from './rules.ts'

type EventData = Readonly<Record<string, unknown>>

/** The kind that a type is here; types of our own go by their own names. */
export const kindOf = (typeCode: string): TriggerType | null =>
  fieldTypes[typeCode] ?? triggerTypes.find(one => one === typeCode) ?? null

const codes: Readonly<Partial<Record<TriggerType, string>>> = {
  CRON: 'TIMER',
  HTTP: 'APIG',
  CLOUDSTORAGE: 'OBS',
  EVENT: 'SMN',
}

/** How the field names a kind. */
export const codeOf = (kind: TriggerType): string => codes[kind] ?? kind

export type Read = { config: TriggerWishes } | { problem: string }

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** What a trigger of the field says in words of ours; what its kind then makes of it, its own rules say. */
export function readEventData(typeCode: string, data: EventData): Read {
  switch (typeCode) {
    case 'TIMER':
      return timer(data)
    case 'APIG':
    case 'DEDICATEDGATEWAY': {
      const authType = ({ NONE: 'none', APP: 'apigw-client', IAM: 'cloudgw-client' } as const)[textOf(data['auth'])]
      return authType ? { config: { authType } } : { problem: 'auth is one of NONE, APP and IAM' }
    }
    case 'OBS':
      return files(data)
    case 'SMN':
    case 'EVENTGRID': {
      const topic = textOf(data['topic_urn'] ?? data['channel_name'])
      return { config: { topic: topic.slice(topic.lastIndexOf(':') + 1) } }
    }
    default: {
      const { name: _name, ...config } = data
      return { config: config as TriggerWishes }
    }
  }
}

function timer(data: EventData): Read {
  const payload = data['user_event'] === undefined ? {} : { payload: data['user_event'] }
  const schedule = textOf(data['schedule']).trim()
  if (data['schedule_type'] === 'Rate') {
    const cron = cronOfRate(schedule)
    return cron ? { config: { cron, ...payload } } : { problem: rateProblem }
  }
  if (data['schedule_type'] !== 'Cron') return { problem: 'schedule_type is Rate or Cron' }
  const [, timezone, rest = schedule] = /^(?:CRON_TZ=(\S+)\s+)?(.*)$/.exec(schedule) ?? []
  // A field that may be anything is `?` there.
  const cron = rest.replace(/^@every .*/, '').replace(/(^|\s)\?(?=\s|$)/g, '$1*')
  if (cron === '') return { problem: 'schedule is a cron expression, as 0 15 2 * * ?' }
  return { config: { cron, ...(timezone ? { timezone } : {}), ...payload } }
}

const rateProblem =
  'schedule is so many minutes, hours or days that they fit into an hour, a day or once, as 5m, 2h, 1d'

/** `5m`, `2h`, `1d` as a cron that runs at the same distances; null where none does. */
export function cronOfRate(rate: string): string | null {
  const [, digits = '', unit = ''] = /^([1-9][0-9]{0,3})([mhd])$/.exec(rate) ?? []
  const every = Number(digits)
  if (unit === 'm' && 60 % every === 0) return every === 60 ? '0 * * * *' : `*/${every} * * * *`
  if (unit === 'h' && 24 % every === 0) return every === 24 ? '0 0 * * *' : `0 */${every} * * *`
  return unit === 'd' && every === 1 ? '0 0 * * *' : null
}

function files(data: EventData): Read {
  const events = Array.isArray(data['events']) ? data['events'].map(String) : []
  const read = events.map(one =>
    /^s3:ObjectCreated:/.test(one) ? 'FINALIZE' : /^s3:ObjectRemoved:/.test(one) ? 'DELETE' : one,
  )
  const [bucketId, prefix, suffix] = [textOf(data['bucket']), textOf(data['prefix']), textOf(data['suffix'])]
  return {
    config: {
      events: [...new Set(read)],
      ...(bucketId ? { bucketId } : {}),
      ...(prefix ? { prefix } : {}),
      ...(suffix ? { suffix } : {}),
    },
  }
}

/** A trigger's settings as the field writes them. */
export function writeEventData(trigger: {
  typeCode: TriggerType
  name: string
  config: TriggerWishes
  url: string | null
}): Record<string, unknown> {
  const { typeCode, name, config, url } = trigger
  switch (typeCode) {
    case 'CRON': {
      const { cron = '', timezone = 'UTC', payload = null } = config
      const schedule = timezone === 'UTC' ? cron : `CRON_TZ=${timezone} ${cron}`
      return { name, schedule_type: 'Cron', schedule, ...(payload === null ? {} : { user_event: payload }) }
    }
    case 'HTTP': {
      const auth = { none: 'NONE', 'apigw-client': 'APP', user: 'USER', 'cloudgw-client': 'IAM' }[
        config.authType ?? 'none'
      ]
      return { name, auth, protocol: 'HTTPS', req_method: 'ANY', match_mode: 'SWA', invoke_url: url }
    }
    case 'CLOUDSTORAGE': {
      const { bucketId: bucket, prefix, suffix, events = [] } = config
      const names: Record<string, string> = { FINALIZE: 's3:ObjectCreated:*', DELETE: 's3:ObjectRemoved:*' }
      return { name, bucket, prefix, suffix, events: events.map(one => names[one] ?? one) }
    }
    case 'EVENT':
      return { name, topic_urn: config.topic }
    default:
      return { name, ...config }
  }
}
