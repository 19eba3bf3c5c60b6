import { eq } from 'drizzle-orm'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import type { Event, JobRun } from '../../../../server/work.ts'
import { localObject, releaseObjects } from '../../../ground/files/public.ts'
import { openArchive } from '../apk/zip.ts'
import { ZipRefusal } from '../apk/zip-anomaly.ts'
import type { PackageReport } from '../facts.ts'
import { readPackage } from '../readers/read-package.ts'
import { limits } from '../rules.ts'
import { packageClaims } from '../tables.home.ts'
import { judgeDomain } from './domain.ts'
import { type ClaimRecord, knownOfHolder, moveClaim } from './queries.ts'
import { challengeFiles, claimLimits, proofProblem } from './rules.ts'

export const provingKind = 'packages.claim.prove'
const CHALLENGE_LIMIT_BYTES = 1024

/** Reads what was handed in for a claim; a proof that proves nothing leaves the claim open for a better one. */
export async function proveClaim(ctx: Context, job: JobRun): Promise<void> {
  const claimId = String(job.input['claimId'])
  const objectId = job.input['objectId'] === null ? null : String(job.input['objectId'])
  const find = async (inner: Context) =>
    (await inner.home.select().from(packageClaims).where(eq(packageClaims.claimId, claimId)).for('update'))[0]
  const row = await ctx.transact(find)
  if (row?.state !== 'PROVING' || row.objectId !== objectId) return
  await job.progress('signature', 20)
  const outcome = objectId === null ? await judgeDomain(ctx, row, job.signal) : await judgePackage(ctx, row, objectId)
  await job.progress('checks', 80)
  const holder = row.holderAppId && row.holderZone ? { appId: row.holderAppId, zone: row.holderZone as ZoneId } : null
  const known = holder && (await knownOfHolder(ctx, holder))
  await ctx.transact(async inner => {
    const now = await find(inner)
    if (now?.state !== 'PROVING' || now.objectId !== objectId) return
    if (outcome.reason !== null) {
      await inner.home
        .update(packageClaims)
        .set({ proof: outcome, updatedAt: inner.now() })
        .where(eq(packageClaims.claimId, claimId))
      return
    }
    // Whoever has nothing accepted under the name has nothing to object for.
    if (known && !known.hasAccepted) await moveClaim(inner, now, 'pass', { set: { proof: outcome } })
    else
      await moveClaim(inner, now, 'verify', {
        set: { proof: outcome, noticeUntil: inner.now() + claimLimits.noticeMs },
      })
  })
}

interface Outcome {
  signers: string[]
  reason: string | null
}

async function judgePackage(ctx: Context, row: ClaimRecord, objectId: string): Promise<Outcome> {
  const file = await ctx.transact(inner => localObject(inner, objectId))
  try {
    return await judge(row, file.path)
  } finally {
    await file.release()
  }
}

async function judge(row: ClaimRecord, path: string): Promise<Outcome> {
  const kind =
    row.packageType === 'ANDROID'
      ? 'APK'
      : row.packageType.endsWith('QUICK') || row.packageType === 'QUICK_APP'
        ? 'RPK'
        : 'HAP'
  const report = await readPackage(kind, path, { fileName: 'proof', targetSdkFloor: limits.targetSdkFloor })
  const { facts } = report
  const reason = proofProblem({
    isVerified: !facts.findings.some(one => [991, 996, 1101, 1102, 1105, 1113].includes(one.code)),
    packageName: facts.packageName,
    wantedName: row.packageName,
    signers: [...facts.signers, ...facts.lineage],
    expectedSigners: row.expectedSigners,
    hasChallenge: await holdsChallenge(report, path, row.challenge),
  })
  return { signers: facts.signers, reason }
}

async function holdsChallenge({ facts }: PackageReport, path: string, challenge: string): Promise<boolean> {
  if (facts.versionName?.endsWith(challenge)) return true
  try {
    const archive = await openArchive(path)
    try {
      // v1 leaves META-INF out of what it signs.
      const isWhole = !facts.signatureSchemes.every(scheme => scheme === 'v1')
      for (const name of [...challengeFiles.always, ...(isWhole ? challengeFiles.whereCovered : [])]) {
        const entry = archive.byName.get(name)
        if (!entry || entry.expandedBytes > CHALLENGE_LIMIT_BYTES) continue
        if ((await archive.readEntry(entry, CHALLENGE_LIMIT_BYTES)).toString('utf8').trim() === challenge) return true
      }
      return false
    } finally {
      await archive.close()
    }
  } catch (error) {
    if (error instanceof ZipRefusal || error instanceof RangeError) return false
    throw error
  }
}

/** After the time to object the name moves by itself; that of an app on shelf is for people to decide. */
export async function endNotices(ctx: Context): Promise<void> {
  const due = await ctx.transaction('home').query<{ claim_id: string }>({
    text: `SELECT claim_id FROM package_claims WHERE state = 'NOTICE' AND notice_until <= $1 ORDER BY claim_id LIMIT 50`,
    values: [ctx.now()],
  })
  for (const { claim_id: claimId } of due.rows) {
    const [row] = await ctx.home.select().from(packageClaims).where(eq(packageClaims.claimId, claimId)).for('update')
    if (row?.state !== 'NOTICE') continue
    const holder = row.holderAppId && row.holderZone ? { appId: row.holderAppId, zone: row.holderZone as ZoneId } : null
    const known = holder && (await knownOfHolder(ctx, holder))
    await moveClaim(ctx, row, known?.isOnShelf ? 'review' : 'pass')
  }
}

/** What was handed in is needed no more when a claim is decided. */
export async function dropProof(ctx: Context, event: Event): Promise<void> {
  const [row] = await ctx.home.select().from(packageClaims).where(eq(packageClaims.claimId, event.entityId))
  if (row?.objectId == null) return
  const objectId = row.objectId
  const zone = row.zone as ZoneId
  await ctx.home.update(packageClaims).set({ objectId: null }).where(eq(packageClaims.claimId, row.claimId))
  await systemContext(ctx.server, zone, { name: 'claims', teamId: row.claimantTeamId }).transact(inner =>
    releaseObjects(inner, [objectId]),
  )
}
