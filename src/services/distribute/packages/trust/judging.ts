import { X509Certificate } from 'node:crypto'
import { inArray } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import type { PackageRecord } from '../queries.ts'
import type { Finding } from '../rules.ts'
import { trustedRoots } from '../tables.home.ts'
import { judgeChain, type TrustPath } from './path.ts'
import { purposeOf, type TrustPurpose, type TrustVerdict } from './rules.ts'

const worst = ['UNKNOWN_ROOT', 'EXPIRED', 'TRUSTED'] as const

/** A package with what the roots say of who signed it. */
export type Judged = PackageRecord & { trust: { verdict: TrustVerdict; root: string | null } | null }
type Roots = ReadonlyMap<TrustPurpose, X509Certificate[]>

/**
 * Packages with the verdict of the operator's roots as of now, null for kinds without and where no root is named yet, and
 * what it has against them among their findings. Never kept: roots and clock move on. One query at most.
 */
export async function eachWithTrust(ctx: Context, rows: readonly PackageRecord[]): Promise<Judged[]> {
  const purposes = new Set(rows.flatMap(row => (row.chains.length > 0 ? (purposeOf(row.kind) ?? []) : [])))
  const roots = await rootsFor(ctx, [...purposes])
  return rows.map(row => {
    const path = judge(row, roots, ctx.now())
    if (!path) return { ...row, trust: null }
    const { verdict, subject, root, notAfter } = path
    const until = notAfter > 0 ? new Date(notAfter).toISOString().slice(0, 10) : ''
    const findings = [...row.findings, ...trustFindings(verdict, { subject, until })]
    return { ...row, trust: { verdict, root }, findings }
  })
}

async function rootsFor(ctx: Context, purposes: TrustPurpose[]): Promise<Roots> {
  if (purposes.length === 0) return new Map()
  const { purpose, pem } = trustedRoots
  const rows = await ctx.home.select({ purpose, pem }).from(trustedRoots).where(inArray(purpose, purposes))
  const grouped = Map.groupBy(rows, row => row.purpose)
  return new Map([...grouped].map(([of, all]) => [of, all.map(one => new X509Certificate(one.pem))]))
}

function judge({ kind, chains }: PackageRecord, roots: Roots, now: number): TrustPath | null {
  const purpose = purposeOf(kind)
  const trusted = purpose && roots.get(purpose)
  if (!trusted || chains.length === 0) return null
  const paths = chains.map(chain => judgeChain(chain, trusted, now))
  const verdict = worst.find(one => paths.some(path => path.verdict === one))
  return paths.find(path => path.verdict === verdict) ?? null
}

/** What stands against a package by the verdict. A warning: who may sign is the operator's to say, and roots come later than packages. */
function trustFindings(verdict: TrustVerdict | null, params: { subject: string; until: string }): Finding[] {
  const base = { severity: 'WARN', appliesTo: 'ANY' } as const
  const { subject, until } = params
  if (verdict === 'UNKNOWN_ROOT') {
    const detail = `No root that the store trusts vouches for ${subject}. Sign with a certificate of a trusted authority.`
    return [{ ...base, code: 1131, detail, params: { subject } }]
  }
  if (verdict === 'EXPIRED') {
    const detail = `A certificate between ${subject} and its trusted root is valid until ${until} only. Sign with a valid one.`
    return [{ ...base, code: 1132, detail, params: { subject, until } }]
  }
  return []
}
