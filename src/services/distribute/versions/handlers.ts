import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import { implement } from '../../../server/implement.ts'
import { appOf } from '../apps/public.ts'
import { holdPackage, packageOf, releasePackage } from '../packages/public.ts'
import { toVersion } from './answer.ts'
import { versions } from './contract.ts'
import { deleteDraft, openNext, openOrFirst } from './drafts.ts'
import { timelinesOf } from './history/timeline.ts'
import { mustBeReachable, setMinimum } from './minimum.ts'
import { moveVersion, mustBeEditable } from './moves.ts'
import { phasedVersionOf } from './phased/queries.ts'
import {
  lastShelfVersionOf,
  listingsOf,
  loadLocked,
  loadVersion,
  pageOfVersions,
  shelfVersionOf,
  type VersionRecord,
} from './queries.ts'
import { changeRelease } from './release.ts'
import { isCountry } from './rules.ts'
import { releaseStateOf } from './shelf/rules.ts'
import { readinessList, submit } from './submit.ts'
import { withdraw } from './withdraw.ts'

export default implement(versions, {
  getVersion: async (ctx, { query }) => {
    const open = await openOrFirst(ctx, query.appId)
    const onShelf = await shelfVersionOf(ctx, query.appId)
    const last = onShelf ?? (await lastShelfVersionOf(ctx, query.appId))
    const phased = onShelf ? await phasedVersionOf(ctx, query.appId) : undefined
    const version = query.versionId === undefined ? (open ?? phased ?? last) : await loadVersion(ctx, query.versionId)
    if (version && version.appId !== query.appId) throw badField('/versionId', 'app', 'It is of another app.', 'query')
    const picture = {
      open: open?.state ?? null,
      onShelf: onShelf?.state ?? null,
      isShelfOffRefused: onShelf?.lastShelfOff?.state === 'REJECTED',
      off: onShelf ? null : (last?.state ?? null),
    }
    return {
      appId: query.appId,
      releaseState: releaseStateOf(picture),
      version: version ? toVersion(ctx, version) : null,
      open: open ? { ...open, releaseState: releaseStateOf(picture, true) } : null,
      onShelf: onShelf ?? null,
      phased: phased ?? null,
      languages: version ? (await listingsOf(ctx, version.versionId)).map(row => row.lang) : [],
      ...(query.include && version
        ? { readiness: await readinessList(ctx, await appOf(ctx, query.appId), version) }
        : {}),
    }
  },

  createVersion: async (ctx, { body }) => toVersion(ctx, await openNext(ctx, body.appId)),

  updateVersion: async (ctx, { body }) => {
    const { version } = await loadLocked(ctx, body.versionId)
    mustBeEditable(ctx, version)
    body.countries?.forEach((code, index) => {
      if (!isCountry(code)) throw badField(`/countries/${index}`, 'country', `${code} is no ISO 3166 code.`)
    })
    const { versionId, revision: _, pkgId, testPassword, ...fields } = body
    const isOtherPackage = pkgId !== undefined && pkgId !== version.pkgId
    const after = await moveVersion(ctx, version, 'edit', {
      set: {
        ...fields,
        ...(fields.releaseMode !== undefined && fields.releaseMode !== 'TIMED' ? { onShelfTime: null } : {}),
        ...(testPassword === undefined ? {} : { testPasswordSealed: sealed(ctx, versionId, testPassword) }),
        ...(isOtherPackage ? await packageColumns(ctx, version, pkgId) : {}),
      },
      note: { fields: Object.keys(body).filter(key => !['versionId', 'revision'].includes(key)) },
    })
    if (body.minVersionCode != null && after.versionCode !== null)
      mustBeReachable(body.minVersionCode, after.versionCode)
    return toVersion(ctx, after)
  },

  deleteVersion: async (ctx, { query }) => {
    await deleteDraft(ctx, query.versionId)
    return {}
  },

  submitVersion: async (ctx, { query, body }) => {
    const result = await submit(ctx, body, query.dryRun === '1')
    return { ...result, version: toVersion(ctx, result.version) }
  },

  withdrawVersion: async (ctx, { body }) => toVersion(ctx, await withdraw(ctx, body.versionId)),

  updateReleaseTime: async (ctx, { body }) => toVersion(ctx, await changeRelease(ctx, body)),

  setMinimumVersion: async (ctx, { body }) => toVersion(ctx, await setMinimum(ctx, body)),

  urgeReview: async (ctx, { body }) => {
    const { version } = await loadLocked(ctx, body.versionId)
    const after = await moveVersion(ctx, version, 'urge', {
      set: { urgeCount: version.urgeCount + 1, lastUrgedAt: ctx.now() },
      note: { reason: body.reason },
      data: { reason: body.reason, urgeCount: version.urgeCount + 1 },
    })
    return toVersion(ctx, after)
  },

  listVersions: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    const page = await pageOfVersions(ctx, query.appId, query)
    const timelines = await timelinesOf(
      ctx,
      page.list.map(row => row.versionId),
    )
    return {
      ...page,
      list: page.list.map(row => ({
        version: toVersion(ctx, row),
        timeline: timelines.get(row.versionId) ?? [],
      })),
    }
  },
})

function sealed(ctx: Context, versionId: string, password: string): string | null {
  return password === '' ? null : ctx.server.masterKey.seal('versions.testPassword', versionId, password)
}

/** Holds the new package, lets go of the old one, and forgets a submit that waited for it. */
async function packageColumns(ctx: Context, version: VersionRecord, pkgId: string | null) {
  if (version.pkgId !== null) await releasePackage(ctx, version.pkgId)
  if (pkgId === null) return { pkgId: null, versionCode: null, versionName: null, submitQueuedBy: null }
  const pkg = await packageOf(ctx, pkgId)
  if (pkg.appId !== version.appId) refuse(versions.errors.packageOfOtherApp, { pkgId, appId: version.appId })
  if (pkg.usage === 'TEST_ONLY' && pkg.state === 'READY') refuse(versions.errors.packageTestOnly, { pkgId })
  await holdPackage(ctx, pkgId)
  return { pkgId, versionCode: pkg.versionCode, versionName: pkg.versionName, submitQueuedBy: null }
}
