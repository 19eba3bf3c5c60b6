const KiB = 1024
const MiB = 1024 * KiB
const GiB = 1024 * MiB
const dayMs = 24 * 3_600_000

export const limits = {
  objectBytes: 50 * GiB,
  oneShotBytes: 100 * MiB,
  /** Of a path, in UTF-8. */
  pathBytes: 1024,
  metadataBytes: 8 * KiB,
  tokensOfObject: 10,
  listPage: 1000,
  deletedAtOnce: 1000,
  corsRules: 100,
  lifecycleRules: 100,
  cacheRules: 50,
  /** Paths that a preview of cache rules looks at. */
  previewedPaths: 5_000,
  previewExamples: 5,
  allowedTypes: 50,
  minPartBytes: 5 * MiB,
  maxPartBytes: 5 * GiB,
  maxParts: 10_000,
  uploadLifeMs: 7 * dayMs,
  /** Replaced and deleted bytes stay as long, so that downloads that run go on. */
  garbageWaitMs: 3_600_000,
  /** Bytes that no row names after as long never get one. */
  orphanAfterMs: dayMs,
  /** Contents up to here live in their row: one write that is lasting instead of three. */
  inlineBytes: 16 * KiB,
  /** What of a stream that goes on is kept at once; as much of a cut one is lost at most where the process dies. */
  pieceBytes: 4 * MiB,
  keysOfProject: 20,
  refreshedAtOnce: 100,
  shownRefreshes: 20,
} as const

/** What a key may sign for. */
export const keyServices = ['storage', 'functions'] as const

export const levels = ['FREE', 'PAID', 'SUSPENDED'] as const
export type Level = (typeof levels)[number]

/** What a project may use; null is without an end. A suspended one reads as a free one does. */
export const quotas = {
  FREE: { storedBytes: 5 * GiB, egressBytesPerDay: GiB, operationsPerDay: 50_000, buckets: 3 },
  PAID: { storedBytes: null, egressBytesPerDay: null, operationsPerDay: null, buckets: 10 },
  SUSPENDED: { storedBytes: 5 * GiB, egressBytesPerDay: GiB, operationsPerDay: 50_000, buckets: 3 },
} as const satisfies Record<Level, Record<string, number | null>>

export const bucketStates = ['ACTIVE', 'DELETING'] as const
export type BucketState = (typeof bucketStates)[number]

export const versioningStates = ['OFF', 'ON', 'PAUSED'] as const
export type Versioning = (typeof versioningStates)[number]

export const uploadStates = ['OPEN', 'FINALIZING', 'DONE', 'ABORTED', 'EXPIRED'] as const
export type UploadState = (typeof uploadStates)[number]
export type UploadAction = 'receive' | 'finalize' | 'finish' | 'fail' | 'abort' | 'expire'

const uploadMoves: Readonly<Record<UploadState, Partial<Record<UploadAction, UploadState>>>> = {
  OPEN: { receive: 'OPEN', finalize: 'FINALIZING', abort: 'ABORTED', expire: 'EXPIRED' },
  // A process that died while it composed leaves the upload here; whoever comes next composes again.
  FINALIZING: { finalize: 'FINALIZING', finish: 'DONE', fail: 'OPEN', abort: 'ABORTED', expire: 'EXPIRED' },
  DONE: {},
  ABORTED: {},
  EXPIRED: {},
}

/** Where an upload goes; undefined where it cannot. */
export function nextUploadState(state: UploadState, action: UploadAction): UploadState | undefined {
  return uploadMoves[state][action]
}

/** The states from which an action goes. */
export function uploadStatesBefore(action: UploadAction): UploadState[] {
  return uploadStates.filter(state => uploadMoves[state][action] !== undefined)
}

export const siteStates = ['DISABLED', 'ACTIVE', 'REFRESHING', 'FAILED'] as const
export type SiteState = (typeof siteStates)[number]

/** What people call a bucket: 3 to 57 lower-case letters, digits and single hyphens. */
export function bucketNameProblem(name: string): string | null {
  if (name.length < 3 || name.length > 57) return 'has 3 to 57 characters'
  if (!/^[a-z0-9-]+$/.test(name)) return 'has lower-case letters, digits and hyphens only'
  if (!/^[a-z0-9].*[a-z0-9]$/.test(name)) return 'begins and ends with a letter or a digit'
  if (name.includes('--')) return 'has no two hyphens in a row'
  return null
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const control = /[\u0000-\u001f\u007f]/
/** The last character there is: listings end their ranges with it. */
const last = '\u{10ffff}'

/** What is wrong with the path of a file; null where nothing is. A folder's ends in a slash. */
export function pathProblem(path: string): string | null {
  if (path === '' || path === '/') return 'is empty'
  if (!path.isWellFormed()) return 'is no Unicode text'
  if (new TextEncoder().encode(path).length > limits.pathBytes) return `has at most ${limits.pathBytes} bytes`
  if (control.test(path) || path.includes(last)) return 'has no control characters'
  if (/%(?:2[ef]|5c)/i.test(path)) return 'is encoded twice'
  const segments = path.split('/')
  if (segments.at(-1) === '') segments.pop()
  if (segments.some(segment => segment === '')) return 'has no empty folder names'
  if (segments.some(segment => segment === '.' || segment === '..')) return 'has no . and .. in it'
  return null
}

export function isFolder(path: string): boolean {
  return path.endsWith('/')
}

/** The last name of a path. */
export function nameOf(path: string): string {
  const whole = isFolder(path) ? path.slice(0, -1) : path
  return whole.slice(whole.lastIndexOf('/') + 1)
}

/** Whether a content type is one of those that a bucket takes: `image/png`, `image/*`; none named takes all. */
export function isTypeAllowed(allowed: readonly string[], contentType: string): boolean {
  if (allowed.length === 0) return true
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  return allowed.some(one => (one.endsWith('/*') ? type.startsWith(one.slice(0, -1)) : type === one))
}

/** What a header may carry as a value. */
export function isHeaderText(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
}

/** What is wrong with metadata; null where nothing is. */
export function metadataProblem(metadata: Readonly<Record<string, string>>): string | null {
  let size = 0
  for (const [key, value] of Object.entries(metadata)) {
    if (!/^[a-z0-9][a-z0-9_.-]{0,127}$/.test(key)) return `key ${key.slice(0, 40)} has letters, digits, _ . - only`
    if (control.test(value) || !value.isWellFormed()) return `value of ${key} has no control characters`
    size += key.length + new TextEncoder().encode(value).length
  }
  return size > limits.metadataBytes ? `has ${size} bytes; at most ${limits.metadataBytes}` : null
}

export interface CorsRule {
  allowedOrigins: string[]
  allowedMethods: ('GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD')[]
  allowedHeaders: string[]
  exposeHeaders: string[]
  maxAgeSeconds: number
}

/** One star stands for anything. */
function isLike(pattern: string, value: string): boolean {
  const at = pattern.indexOf('*')
  if (at === -1) return pattern === value
  const [head, tail] = [pattern.slice(0, at), pattern.slice(at + 1)]
  return value.length >= head.length + tail.length && value.startsWith(head) && value.endsWith(tail)
}

/** The first rule that lets a page of `origin` make such a request. */
export function corsRuleFor(
  rules: readonly CorsRule[],
  request: { origin: string; method: string; headers: readonly string[] },
): CorsRule | undefined {
  const fits = (patterns: readonly string[], value: string) =>
    patterns.some(pattern => isLike(pattern.toLowerCase(), value.toLowerCase()))
  return rules.find(
    rule =>
      fits(rule.allowedOrigins, request.origin) &&
      (rule.allowedMethods as string[]).includes(request.method) &&
      request.headers.every(header => fits(rule.allowedHeaders, header)),
  )
}

/** What is wrong with a rule; null where nothing is. */
export function corsProblem(rule: CorsRule): string | null {
  for (const pattern of [...rule.allowedOrigins, ...rule.allowedHeaders]) {
    if (pattern.indexOf('*') !== pattern.lastIndexOf('*')) return `${pattern} has more than one *`
  }
  const odd = rule.allowedOrigins.find(one => one !== '*' && !/^https?:\/\/[a-z0-9.*:[\]-]+$/i.test(one))
  if (odd !== undefined) return `${odd} is no origin such as https://example.com`
  return null
}

export interface LifecycleRule {
  prefix: string
  /** Days after which a file is deleted. */
  expireDays?: number | undefined
  /** Days after which an upload that was not finished is given up. */
  abortDays?: number | undefined
  /** Days after which versions that were replaced go. */
  olderVersionDays?: number | undefined
}

/** How long pages may keep a file of a site, by the end of its path. */
export interface CacheRule {
  /** `*.css`, `assets/*`, `index.html`. */
  pattern: string
  ttlSeconds: number
}

/** Which of the rules decides a path: the first whose pattern fits the path or its last name; -1 for none. */
export function cacheRuleOf(rules: readonly CacheRule[], path: string): number {
  return rules.findIndex(one => isLike(one.pattern, path) || isLike(one.pattern, nameOf(path)))
}

/** What is wrong with a pattern; null where nothing is. */
export function cachePatternProblem(pattern: string): string | null {
  if (pattern.trim() === '') return 'is empty'
  if (pattern.indexOf('*') !== pattern.lastIndexOf('*')) return 'has more than one *'
  return pattern.startsWith('/') ? 'begins without a slash' : null
}

/** Seconds that caches may keep a path; the first pattern that fits decides, else a minute for pages and an hour for the rest. */
export function cacheSecondsOf(rules: readonly CacheRule[], path: string): number {
  const rule = rules[cacheRuleOf(rules, path)]
  if (rule) return rule.ttlSeconds
  return /\.html?$/i.test(path) || !nameOf(path).includes('.') ? 60 : 3_600
}
