import type { Context } from '../../../server/context.ts'
import { storeCertificatesOf } from '../signing/public.ts'
import type { PackageRecord } from './queries.ts'
import { relationFinding } from './rules.ts'
import { eachWithTrust, type Judged } from './trust/judging.ts'

/**
 * Packages with what stands against them now besides their bytes: the operator's roots, and the store's signature where an
 * app has begun to need it after they were accepted. Never kept, for both move on. Two queries at most.
 */
export async function eachJudged(ctx: Context, rows: readonly PackageRecord[]): Promise<Judged[]> {
  const judged = await eachWithTrust(ctx, rows)
  const own = await storeCertificatesOf(
    ctx,
    rows.filter(isSignable).map(row => row.appId),
  )
  return judged.map(row => {
    const certificates = isSignable(row) ? own.get(row.appId) : undefined
    if (!certificates || certificates.includes(row.signers[0] ?? '')) return row
    return { ...row, findings: [...row.findings, relationFinding(1133)] }
  })
}

/** The same for one. */
export async function judgedOf(ctx: Context, row: PackageRecord): Promise<Judged> {
  const [judged] = await eachJudged(ctx, [row])
  return judged ?? { ...row, trust: null }
}

const isSignable = ({ kind, state }: PackageRecord) => (kind === 'APK' || kind === 'AAB') && state === 'READY'
