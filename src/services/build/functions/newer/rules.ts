import { type ZoneId, zones } from '../../../../kernel/zones.ts'
import { latest, namePattern, type RuntimeId, runtimeIds } from '../rules.ts'
import { type TriggerType, triggerTypes } from '../triggers/rules.ts'

/** What a URN names; `qualifier` as everywhere else: `$latest`, a number, or an alias. */
export interface FunctionName {
  projectId: string
  functionName: string
  qualifier: string
}

/** `urn:fss:cn:PROJECT:function:default:NAME:latest`; an alias stands behind `!`. */
export function urnOf(zone: ZoneId, { projectId, functionName, qualifier }: FunctionName): string {
  const version = qualifier === latest ? 'latest' : /^[0-9]/.test(qualifier) ? qualifier : `!${qualifier}`
  return `urn:fss:${zones[zone].slug}:${projectId}:function:default:${functionName}:${version}`
}

const urnPattern = new RegExp(
  `^urn:fss:([a-z]{2}):([1-9][0-9]{0,18}):function:default:(${namePattern.slice(1, -1)})(?::(\\$?latest|[1-9][0-9]{0,8}|![A-Za-z][A-Za-z0-9_-]{0,62}))?$`,
)

/** What a URN names, or null where it is none of this zone. Without a version it is `$latest`. */
export function readUrn(zone: ZoneId, urn: string): FunctionName | null {
  const [, slug, projectId = '', functionName = '', version = 'latest'] = urnPattern.exec(urn) ?? []
  if (slug !== zones[zone].slug) return null
  return { projectId, functionName, qualifier: qualifierOf(version) }
}

/** `latest` and `!live` of the field as `$latest` and `live`. */
export function qualifierOf(version: string): string {
  if (version === 'latest') return latest
  return version.startsWith('!') ? version.slice(1) : version
}

/** A version as the field names it: `latest`, or a number. */
export const versionName = (version: string) => (version === latest ? 'latest' : version)

/** The names of the runtimes in the field; what it has no name for has ours. */
export const fieldRuntimes: Readonly<Record<RuntimeId, string>> = {
  nodejs24: 'Node.js24',
  isolate: 'Isolate',
  image: 'Custom Image',
}

/** The runtime for one of the field: Node.js of today runs what was written for the ones since 16. */
export function runtimeIn(name: string): RuntimeId | null {
  const major = /^Node\.js([0-9]{1,2})(?:\.[0-9x]+)?$/i.exec(name)?.[1]
  if (major !== undefined) return Number(major) >= 16 && Number(major) <= 24 ? 'nodejs24' : null
  return runtimeIds.find(id => fieldRuntimes[id].toLowerCase() === name.toLowerCase()) ?? null
}

/** What this server has nothing for; a client that asks for it is told, for its function would not do what it thinks. */
const elsewhere = [
  ...['func_vpc', 'mount_config', 'gpu_memory', 'gpu_type', 'pre_stop_handler', 'restore_hook_handler'],
  ...['heartbeat_handler', 'network_controller', 'peering_cidr', 'is_stateful_function'],
] as const

/** An image runs as it was made, with nothing set from outside but its environment. */
const elsewhereOfImage = ['command', 'args', 'working_dir', 'uid', 'gid'] as const

const isSaid = (value: unknown) => {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/** The fields of a body that ask for what is not here. */
export function fieldsNotHere(body: Readonly<Record<string, unknown>>): string[] {
  const image = Object(body['custom_image']) as Readonly<Record<string, unknown>>
  return [
    ...elsewhere.filter(name => isSaid(body[name])),
    ...elsewhereOfImage.filter(name => isSaid(image[name])).map(name => `custom_image.${name}`),
  ]
}

/** `{"KEY": "value"}` of the field; null where it is none. */
export function readUserData(text: string): Record<string, string> | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const entries = Object.entries(value)
    return entries.every(([, one]) => typeof one === 'string') ? Object.fromEntries(entries) : null
  } catch {
    return null
  }
}

/** Standard base64 without anything else. */
export function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
}

/** The file that inline code becomes: the one that the handler names. */
export function inlineFile(handler: string): string {
  return `${handler.slice(0, handler.lastIndexOf('.'))}.js`
}

/** `LAYER:NUMBER`, as versions of dependencies are named in the field. */
export function readDependency(id: string): { layerId: string; number: number } | null {
  const [, layerId = '', number = ''] = /^(?:urn:loggia:layer:)?([1-9][0-9]{0,18}):([1-9][0-9]{0,5})$/.exec(id) ?? []
  return layerId === '' ? null : { layerId, number: Number(number) }
}

/** Types of triggers in the field, and what they are here. */
export const fieldTypes: Readonly<Record<string, TriggerType>> = {
  TIMER: 'CRON',
  APIG: 'HTTP',
  DEDICATEDGATEWAY: 'HTTP',
  OBS: 'CLOUDSTORAGE',
  SMN: 'EVENT',
  EVENTGRID: 'EVENT',
}
export const typeCodes = [...Object.keys(fieldTypes), ...triggerTypes] as string[] as [string]
