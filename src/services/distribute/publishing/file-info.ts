import type { Input } from '../../../kernel/contract.ts'
import { refuse } from '../../../kernel/errors.ts'
import { compileStatusOf, languageKeyOf } from '../../../kernel/field-words.ts'
import type { Ask } from '../../../server/asking.ts'
import type { Context } from '../../../server/context.ts'
import { objectOf } from '../../ground/files/public.ts'
import { packages } from '../packages/contract.ts'
import { versions } from '../versions/contract.ts'
import { versionListings } from '../versions/listing/contract.ts'
import { publishing } from './contract.ts'
import { appAndVersions, openVersion, type Version } from './public.ts'
import { limits, objectIdOf } from './rules.ts'

type Calls = (typeof publishing)['calls']
type Body = Input<Calls['updateFileInfo']>['body']
const { errors } = publishing

export async function takeFiles(ask: Ask, { query, body }: Input<Calls['updateFileInfo']>, ctx: Context) {
  const version = await openVersion(ask, query.appId)
  const fileType = String(body.fileType)
  const objectIds = [body.files]
    .flat()
    .map(({ fileDestUrl }) => objectIdOf(fileDestUrl) ?? refuse(errors.fileAddress, { fileDestUrl }))
  const [objectId] = objectIds as [string]
  if (fileType === '1') return putFilm(ask, version, body, objectIds)
  if (fileType === '2') return putPictures(ask, version, body, { screenshots: objectIds })
  if (fileType !== '5' && fileType !== '0') refuse(errors.fileType, { fileType })
  if (objectIds.length > 1) refuse(errors.oneFile, { fileType, files: objectIds.length })
  return fileType === '5'
    ? putPackage(ask, version, objectId, ctx)
    : putPictures(ask, version, body, { icon: objectId })
}

export async function putPackage(ask: Ask, version: Version, objectId: string, ctx: Context) {
  const { appId, versionId, revision } = version
  const same = await packageOfSameBytes(ask, appId, objectId, ctx)
  const pkgId = same ?? (await ask(packages, 'createPackage', { body: { appId, objectId } })).pkgId
  if (pkgId !== version.pkgId) await ask(versions, 'updateVersion', { body: { versionId, pkgId, revision } })
  return { pkgVersion: [pkgId] }
}

/**
 * A pipeline that runs again sends the same file again; a second package would find its version code taken. What is on
 * shelf already is left out: releasing that once more is told as what it is.
 */
async function packageOfSameBytes(ask: Ask, appId: string, objectId: string, ctx: Context) {
  const { sha256 } = await ctx.transact(inner => objectOf(inner, objectId))
  const { list } = await ask(packages, 'listPackages', { query: { appId, pageSize: 100 } })
  const same = list.find(one => one.sha256 === sha256 && one.state !== 'FAILED')
  const { found } = await appAndVersions(ask, appId)
  return same && same.versionCode !== found.onShelf?.versionCode ? same.pkgId : undefined
}

const filmExtension = /\.(?:mp4|mov|webm|m4v|mkv|avi)$/

/** A film with the picture before it, in any order; which of two files is the film, its name says. */
async function putFilm(ask: Ask, { appId, versionId, revision }: Version, body: Body, objectIds: readonly string[]) {
  const films = objectIds.filter(one => filmExtension.test(one))
  const covers = objectIds.filter(one => !filmExtension.test(one))
  if (films.length !== 1 || covers.length > 1) refuse(errors.filmAndCover, { files: objectIds.length })
  const { app } = await appAndVersions(ask, appId)
  const lang = languageKeyOf(body.lang ?? app.defaultLang)
  const [filmObjectId, filmCoverObjectId] = [films[0] as string, covers[0] ?? null]
  await ask(versionListings, 'updateListing', { body: { versionId, lang, revision, filmObjectId, filmCoverObjectId } })
  return {}
}

async function putPictures(
  ask: Ask,
  { appId, versionId, revision }: Version,
  body: Body,
  sent: { icon?: string; screenshots?: string[] },
) {
  const { defaultLang, list } = await ask(versionListings, 'listListings', { query: { versionId } })
  const lang = body.lang === undefined ? defaultLang : languageKeyOf(body.lang)
  const { app } = await appAndVersions(ask, appId)
  const deviceType = Number(body.deviceType ?? app.deviceTypes[0])
  const showType = Number(body.imgShowType ?? 0)
  const others = (list.find(one => one.lang === lang)?.screenshots ?? []).filter(one => one.deviceType !== deviceType)
  const screenshots = [
    ...others.map(({ images, ...rest }) => ({ ...rest, objectIds: images.map(image => image.objectId) })),
    { deviceType, showType, objectIds: sent.screenshots ?? [] },
  ]
  await ask(versionListings, 'updateListing', {
    body: {
      versionId,
      lang,
      revision,
      ...(sent.icon === undefined ? {} : { iconObjectId: sent.icon }),
      ...(sent.screenshots === undefined ? {} : { screenshots }),
    },
  })
  return {}
}

/** Of the packages that are named, else of the one in the version. */
export async function compileStatus(ask: Ask, { query }: Pick<Input<Calls['getCompileStatus']>, 'query'>) {
  const { app, found } = await appAndVersions(ask, query.appId)
  // Some versions of the tools send the field empty.
  const named = (query.pkgIds || found.version?.pkgId || '').split(',').filter(one => one !== '')
  const pkgStateList = []
  for (const pkgId of named.slice(0, limits.appsAtOnce)) {
    const pkg = await ask(packages, 'getPackage', { query: { pkgId } })
    if (pkg.appId !== app.appId) continue
    const failReason = pkg.findings.filter(one => one.severity === 'BLOCK').map(one => one.detail)
    const { packageName, versionCode, versionName } = pkg
    pkgStateList.push({ pkgId, ...compileStatusOf(pkg.state), failReason, packageName, versionCode, versionName })
  }
  // The older answer had it at the top.
  return { pkgStateList, aabCompileStatus: pkgStateList[0]?.aabCompileStatus }
}
