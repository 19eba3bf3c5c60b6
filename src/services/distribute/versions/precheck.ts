import { createHash } from 'node:crypto'
import { Refusal } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import type { JobRun } from '../../../server/work.ts'
import { objectsOf, readObject } from '../../ground/files/public.ts'
import { type AppRow, appOf } from '../apps/public.ts'
import { type PackageRow, packagesOf } from '../packages/public.ts'
import { moveVersion } from './moves.ts'
import { imageIdsOf, listingsOf, loadLocked, loadVersion, type VersionRecord } from './queries.ts'
import { blocksOf, type Finding } from './readiness/rules.ts'
import { readinessList } from './submit.ts'
import { passIfTested } from './testing/promote.ts'

/** The automatic checks of a submitted version; ends in review or back at the developer. */
export async function runPrecheck(ctx: Context, job: JobRun): Promise<void> {
  const versionId = String(job.input['versionId'])
  const subject = await ctx.transact(async inner => {
    const version = await loadVersion(inner, versionId).catch(orNull)
    if (version?.state !== 'PRECHECK') return null
    const [pkg] = await packagesOf(inner, version.pkgId === null ? [] : [version.pkgId])
    const app = await appOf(inner, version.appId)
    return { version, pkg: pkg ?? null, findings: await rowFindings(inner, app, version, pkg) }
  })
  if (!subject) return
  const { version, pkg, findings } = subject
  await job.progress('bytes', 20)
  if (pkg) findings.push(...(await byteFindings(ctx, pkg, version, job.signal)))
  await job.progress('images', 80)
  findings.push(...(await ctx.transact(inner => imageFindings(inner, version))))
  await finishPrecheck(ctx, version, findings)
}

/** When the checks could not be finished the version goes back, so that nobody waits for ever. */
export async function giveUpPrecheck(ctx: Context, job: JobRun, reason: string): Promise<void> {
  const version = await ctx.transact(inner => loadVersion(inner, String(job.input['versionId'])).catch(orNull))
  if (version?.state !== 'PRECHECK') return
  const message = 'The automatic checks could not be finished; submit again.'
  await finishPrecheck(ctx, version, [finding(version, 'precheck.unfinished', '/', message, { reason })])
}

async function finishPrecheck(ctx: Context, checked: VersionRecord, findings: Finding[]): Promise<void> {
  await ctx.transact(async inner => {
    const { version } = await loadLocked(inner, checked.versionId)
    // Withdrawn, or withdrawn and submitted again, meanwhile: the next job checks what is there now.
    if (version.state !== 'PRECHECK' || version.submittedAt !== checked.submittedAt) return
    const blocks = blocksOf(findings)
    const after = await moveVersion(inner, version, blocks === 0 ? 'passPrecheck' : 'failPrecheck', {
      set: { findings },
      note: { blocks },
      data: { findings },
    })
    if (after.state === 'IN_REVIEW') await passIfTested(inner, after)
  })
}

/** Everything that readiness looks at, once more, and the signer. */
async function rowFindings(ctx: Context, app: AppRow, version: VersionRecord, pkg?: PackageRow): Promise<Finding[]> {
  // A release time may come near while the checks run; then the version is released when approved.
  const findings = (await readinessList(ctx, app, version)).filter(one => one.rule !== 'release.time')
  if (!pkg || !app.lastShelf?.pkgId || app.lastShelf.pkgId === pkg.pkgId) return findings
  const [before] = await packagesOf(ctx, [app.lastShelf.pkgId])
  const expected = before?.signers ?? app.lastShelf.signers
  if (expected.some(signer => pkg.signers.includes(signer) || pkg.lineage.includes(signer))) return findings
  const message =
    'The package is signed by {found}, the one on shelf by {expected}, and no lineage proves the change (1103).'
  const values = { code: 1103, found: pkg.signers.join(', '), expected: expected.join(', ') }
  return [...findings, finding(version, 'package.signer', '/pkgId', message, values)]
}

/** Reads every byte of the package again and compares its digest: what is published is what was checked. */
async function byteFindings(ctx: Context, pkg: PackageRow, link: Link, signal: AbortSignal): Promise<Finding[]> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  try {
    const { stream } = await ctx.transact(inner => readObject(inner, pkg.objectId))
    for await (const chunk of stream) {
      signal.throwIfAborted()
      sizeBytes += (chunk as Buffer).length
      hash.update(chunk as Buffer)
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [finding(link, 'package.bytes', '/pkgId', 'The bytes of the package are not there; upload it again.', {})]
  }
  const sha256 = hash.digest('hex')
  if (sha256 === pkg.sha256 && sizeBytes === pkg.sizeBytes) return []
  const message = 'The bytes of the package changed ({actual} is not {expected}); upload it again.'
  return [finding(link, 'package.bytes', '/pkgId', message, { actual: sha256, expected: pkg.sha256, sizeBytes })]
}

/** Every listing image is still there and has the size its header says. */
async function imageFindings(ctx: Context, version: VersionRecord): Promise<Finding[]> {
  const findings: Finding[] = []
  const rows = await listingsOf(ctx, version.versionId)
  const objects = await objectsOf(ctx, imageIdsOf(rows))
  for (const listing of rows) {
    const images = [...(listing.icon ? [listing.icon] : []), ...listing.screenshots.flatMap(one => one.images)]
    if (listing.filmCover) images.push(listing.filmCover)
    for (const image of images) {
      const object = objects.get(image.objectId)
      if (object && object.width === image.width && object.height === image.height) continue
      const actual = object ? `${object.width ?? '?'}x${object.height ?? '?'}` : 'missing'
      const expected = `${image.width}x${image.height}`
      const message = 'An image in {lang} is {actual}, not {expected}; choose it again.'
      const values = { lang: listing.lang, objectId: image.objectId, actual, expected }
      findings.push(finding(version, 'listing.image', `/listings/${listing.lang}`, message, values))
    }
  }
  return findings
}

type Link = Pick<VersionRecord, 'appId' | 'versionId'>

function finding(link: Link, rule: string, field: string, message: string, values: Finding['values']): Finding {
  const section = rule.startsWith('listing') ? 'listing' : 'package'
  return {
    rule,
    severity: 'BLOCK',
    field,
    message: message.replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole)),
    values,
    fixHref: `/apps/${link.appId}/version/${link.versionId}?section=${section}`,
  }
}

function orNull(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}
