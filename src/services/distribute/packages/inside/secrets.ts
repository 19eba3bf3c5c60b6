import type { ZipArchive } from '../apk/zip.ts'

export interface Secret {
  kind: string
  file: string
  /** The first characters; the rest is stars. */
  sample: string
}

/** What keys look like; the header of a private key alone is what readers of keys hold. Those that are meant to be public, such as a Google API key bound to an app, are named so by their kind. */
const patterns: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['private-key', /-----BEGIN (?:RSA |EC |DSA |OPENSSH |ENCRYPTED )?PRIVATE KEY-----(?:\s|\\n)+[A-Za-z0-9+/]{40,}/g],
  ['aws-access-key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ['google-api-key', /\bAIza[0-9A-Za-z_-]{35}\b/g],
  ['google-service-account', /"type"\s*:\s*"service_account"/g],
  ['stripe-secret-key', /\b[rs]k_live_[0-9A-Za-z]{20,99}\b/g],
  ['slack-token', /\bxox[abprs]-[0-9A-Za-z-]{10,80}\b/g],
  ['github-token', /\b(?:gh[pousr]_[0-9A-Za-z]{36}|github_pat_[0-9A-Za-z_]{60,90})\b/g],
  ['agconnect-client-secret', /"client_secret"\s*:\s*"[0-9A-F]{32,128}"/g],
  ['password-in-address', /\b[a-z][a-z0-9+]{2,15}:\/\/[A-Za-z0-9._-]{1,60}:[^\s@/"'<>]{3,60}@[A-Za-z0-9.-]{3,100}/g],
]

const scanned =
  /^(assets\/|res\/raw\/|res\/xml\/|classes\d*\.dex$|resources\.arsc$|[^/]+\.(json|properties|txt|xml|cfg)$)/
const totalLimitBytes = 96 << 20
const entryLimitBytes = 48 << 20
const overlapCharacters = 300
const foundLimit = 50

/** Looks through the files where builds leave keys, up to a limit of bytes; each key once. */
export async function findSecrets(archive: ZipArchive, signal?: AbortSignal): Promise<Secret[]> {
  const found = new Map<string, Secret>()
  let left = totalLimitBytes
  for (const entry of archive.entries) {
    if (!scanned.test(entry.name) || entry.expandedBytes > Math.min(entryLimitBytes, left)) continue
    left -= entry.expandedBytes
    let before = ''
    try {
      for await (const piece of archive.streamEntry(entry)) {
        signal?.throwIfAborted()
        const text = before + piece.toString('latin1')
        for (const secret of secretsIn(text)) {
          const key = `${secret.kind} ${secret.sample}`
          if (!found.has(key)) found.set(key, { ...secret, file: entry.name.toWellFormed().slice(0, 300) })
        }
        if (found.size >= foundLimit) return [...found.values()].slice(0, foundLimit)
        before = text.slice(-overlapCharacters)
      }
    } catch (error) {
      if (signal?.aborted) throw error
      // An entry that cannot be expanded is a finding of its own elsewhere; what it hides nobody can read.
    }
  }
  return [...found.values()]
}

/** What keys a text holds. */
export function secretsIn(text: string): Omit<Secret, 'file'>[] {
  return patterns.flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)].map(match => ({ kind, sample: masked(match[0]) })),
  )
}

/** Enough to find it again, too little to use it. */
function masked(secret: string): string {
  const isName = secret.startsWith('-----') || secret.startsWith('"type"')
  const shown = isName ? (secret.split(/-----(?:\s|\\n)/)[0] ?? '') : `${secret.slice(0, 8)}********`
  return shown.replace(/[^\x20-\x7e]/g, '?')
}
