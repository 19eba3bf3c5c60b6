export const ruledServices = ['agc.cloud.storage', 'agc.cloud.db', 'agc.lowcode'] as const
export const ruleMethods = ['get', 'list', 'create', 'update', 'delete'] as const

/** What rules may need of a machine. */
export const language = {
  sourceBytes: 256 * 1024,
  nodes: 5000,
  statements: 1000,
  nestedMatches: 10,
  callDepth: 20,
  parameters: 7,
  lets: 10,
  steps: 1000,
  patternBytes: 512,
  wallMs: 50,
  storageLookups: 2,
  lookups: 10,
  batchLookups: 20,
  keptVersions: 20,
} as const

export const limits = {
  sourceLength: language.sourceBytes,
  keptVersions: language.keptVersions,
  noteLength: 200,
  /** Days that requests, minutes and counts are kept. */
  keptDays: 7,
  /** Requests that a publish is tried on. */
  shadowRequests: 5000,
  shadowShown: 50,
} as const

/** Denials after a publish against those before it. */
export const alarm = {
  /** Before and after the publish. */
  windowMinutes: 60,
  /** Fewer say nothing. */
  leastDenied: 20,
  /** The share of denied requests must have grown by as much of all, and to twice what it was. */
  leastRise: 0.1,
} as const

export interface Counted {
  allowed: number
  denied: number
}

const shareOf = ({ allowed, denied }: Counted) => (allowed + denied === 0 ? 0 : denied / (allowed + denied))

/** Whether so much more is denied since a publish that its owners should look. */
export function hasDenialsRisen(before: Counted, after: Counted): boolean {
  const [was, is] = [shareOf(before), shareOf(after)]
  return after.denied >= alarm.leastDenied && is - was >= alarm.leastRise && is >= 2 * was
}

/** What rules begin with when there are none: whoever signed in may. */
export const starter: Record<(typeof ruledServices)[number], string> = {
  'agc.cloud.storage': `agc.cloud.storage[
  match: /{bucket}/{path=**} {
    allow read, write: if request.auth != null;
  }
]
`,
  'agc.cloud.db': `agc.cloud.db[
  match: /{zone}/{type}/{id} {
    allow read, write: if request.auth != null;
  }
]
`,
  'agc.lowcode': `agc.lowcode[
  match: /{app}/{model}/{id} {
    allow read, write: if request.auth != null;
  }
]
`,
}
