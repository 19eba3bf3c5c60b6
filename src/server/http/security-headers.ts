import type { Config } from '../config.ts'

/** What every answer carries: it is nothing to run, to frame or to guess the type of. */
export function answerHeadersOf(config: Config): Readonly<Record<string, string>> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    ...(config.publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

/**
 * What the console's page carries besides: scripts, styles and calls of this host only, nothing inline; frames of this host
 * only, and only what says itself that it may be framed. What the operator names are the exceptions: report addresses and
 * the script of the operator's analytics, which the page sends to and which may come as a script, and origins whose pages
 * may hold this one.
 */
export function pageHeadersOf(config: Config): Readonly<Record<string, string>> {
  const { analyticsScript, embedOrigins, reportOrigins } = config
  const analytics = analyticsScript === undefined ? [] : [new URL(analyticsScript).origin]
  const outside = [...new Set([...Object.values(reportOrigins), ...analytics])].map(origin => ` ${origin}`).join('')
  const holders = embedOrigins.length === 0 ? "'none'" : embedOrigins.join(' ')
  return {
    'content-security-policy': pagePolicy(outside, holders),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    // It knows no list: with one, the policy alone decides.
    ...(embedOrigins.length === 0 ? { 'x-frame-options': 'DENY' } : {}),
  }
}

const pagePolicy = (outside: string, holders: string) =>
  [
    "default-src 'none'",
    `script-src 'self'${outside}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self'",
    "font-src 'self'",
    `connect-src 'self'${outside}`,
    "frame-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${holders}`,
  ].join('; ')
