import type { ZoneId } from '../../../kernel/zones.ts'

/** Which service a ruleset guards. */
export type RuledService = 'agc.cloud.storage' | 'agc.cloud.db' | 'agc.lowcode'

export type RuleMethod = 'get' | 'list' | 'create' | 'update' | 'delete'

/** Whose rows and rulesets; the project decides them all. */
export interface RuleScope {
  projectId: string
  teamId: string
  zone: ZoneId
}

/** How a value is read by conditions: int is a whole number, float a real of four bytes, double one of eight. */
export type RuleFieldType = 'bool' | 'int' | 'float' | 'double' | 'string' | 'bytes' | 'timestamp'

/**
 * Types by the place below `resource`: `data.title`, `creator`, `size`. Values that are not named are read as JSON is: whole
 * numbers as int, others as double, a Date as timestamp, a Uint8Array as bytes.
 */
export type RuleFields = ReadonlyMap<string, RuleFieldType>

/** The signed-in user of an app, as `request.auth` has it. */
export interface RuleAuth {
  uid: string
  provider: number
  anonymous: boolean
  /** Claims: email, email_verified, phone, roles, those that the app set, auth_time. */
  token: Record<string, unknown>
}

export interface RuleApp {
  appId: string
  packageName: string | null
  attested: boolean
}

/** What is asked. Plain values: a whole number may be a number, a bigint or (where `fields` says int) a decimal string. */
export interface RuleRequest {
  method: RuleMethod
  /** Decoded segments: bucket and those of the key; zone, type and the key's parts. A list names where it looks. */
  path: readonly string[]
  /**
   * Of a list: places below `resource` that hold the segments after `path`, which each row has its own of. For a type with
   * one key field: `['data.id']`.
   */
  openPath?: readonly string[]
  auth: RuleAuth | null
  app: RuleApp | null
  ip: string | null
  /** Epoch milliseconds. */
  time: number
  /** What is there now: `{ data, creator, version, operationTime }`, or what storage knows of a file. */
  resource?: Record<string, unknown> | null
  /** What would be there after the write. */
  requestResource?: Record<string, unknown> | null
  query?: Record<string, unknown>
  fields?: RuleFields
  /** One and the same object for all decisions of one batch: they share their lookups, of which a batch may have 20. */
  batch?: object
  /** Shown with a denied request. */
  requestId?: string
}

export interface Decision {
  allowed: boolean
  /** What a member of the project opens in the console; null when this one was not kept. Answer it as `x-decision-id`. */
  decisionId: string | null
  /** Nodes of conditions that were looked at, at most. */
  steps: number
}

export interface RuleColumn {
  /** Already quoted: `t."title"`. */
  sql: string
  type: RuleFieldType
}

/** Which rows a list may show. `sql` is one parenthesised condition that is true or not, never NULL. */
export type RuleFilter =
  | { kind: 'all'; text: 'TRUE'; values: readonly [] }
  | { kind: 'none'; text: 'FALSE'; values: readonly [] }
  | { kind: 'sql'; text: string; values: readonly unknown[] }

/** The same decision on rows in memory, for streams. */
export interface RulePredicate {
  /** Subscribers of equal keys see the same rows. */
  key: string
  kind: 'all' | 'none' | 'rows'
  /** `resource` as in RuleRequest. */
  sees(resource: Record<string, unknown>): boolean
}

/** What `clouddb.get` answers of a row, or `storage.exists` of a file. */
export interface RuleDatum {
  value: Record<string, unknown>
  /** By the place below `value`: `role`. */
  fields?: RuleFields
}

/** What rules can match, for checks before a publish. */
export interface RulePlace {
  /** `[zone, type]` or `[bucket]`. */
  path: readonly string[]
  /** Of a type: by the place below `resource`, so `data.title` and `creator`. */
  fields?: RuleFields
}

/** How rows and files are looked up for rules; the services that keep them register it when they start. */
export interface RuleData {
  /** Asked at most once a request and path. Null when nothing is there. */
  read(scope: RuleScope, path: readonly string[]): Promise<RuleDatum | null>
  places?(scope: RuleScope): Promise<readonly RulePlace[]>
}
