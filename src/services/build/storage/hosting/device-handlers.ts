import type { FastifyRequest } from 'fastify'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { type Download, implement } from '../../../../server/implement.ts'
import { within } from '../buckets/facts.ts'
import { storageErrors } from '../contract.ts'
import { answerFile, lookingAgain } from '../objects/reading.ts'
import { findWithContent, type ObjectWithContent } from '../objects/rows.ts'
import { cacheSecondsOf, isFolder, nameOf, pathProblem } from '../rules.ts'
import { countUse } from '../use.ts'
import { hostedSites } from './device-contract.ts'
import { type SiteFacts, siteCacheOf, siteOf } from './sites.ts'

/** A page that is not there is looked for again soon: it may come any time. */
const missingSeconds = 5

/** On a host of its own a site is an origin of its own; anywhere else its pages get none. */
const ownOrigin = { 'content-security-policy': "frame-ancestors 'self'" }
const noOrigin = {
  'content-security-policy': 'sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads',
}

export default implement(hostedSites, {
  openSite: async (ctx, { params: { site } }) => {
    const { bucket } = await siteOf(ctx.server, site)
    return { status: 301, headers: { location: `/hosting/${bucket.bucketId}/`, 'content-length': 0 }, body: null }
  },

  readSite: async (ctx, { params, request }) => {
    const isOnOwnHost = (request.raw as { isOnOwnHost?: boolean }).isOnOwnHost === true
    const moved = isOnOwnHost ? null : toFilesHost(ctx, request)
    if (moved) return moved
    const site = await siteOf(ctx.server, params.site)
    return lookingAgain(async isAgain => {
      if (isAgain) siteCacheOf(ctx.server).forget(site.bucket.bucketId)
      const asked = await resolve(ctx, site, params['*'])
      if (asked === 'folder') return { status: 302, headers: toFolder(request), body: null }
      return serve(ctx, site, asked, request, isOnOwnHost ? ownOrigin : noOrigin)
    })
  },
})

function toFolder({ originalUrl }: FastifyRequest) {
  const [path = '', search] = originalUrl.split('?')
  return { location: `${path}/${search === undefined ? '' : `?${search}`}`, 'content-length': 0 }
}

/** Where there is a host for what people uploaded, sites without one of their own are there and nowhere else. */
function toFilesHost(ctx: Context, request: FastifyRequest): Download | null {
  const { filesUrl } = ctx.server.config
  if (filesUrl === undefined || new URL(filesUrl).host === request.headers.host) return null
  return { status: 302, headers: { location: filesUrl + request.originalUrl, 'content-length': 0 }, body: null }
}

interface Found {
  file: ObjectWithContent
  status: 200 | 404
  ttlSeconds: number
}

/** The file of an address: itself, the index of its folder, the page that routes by itself, or the page of errors. */
async function resolve(ctx: Context, site: SiteFacts, asked: string): Promise<Found | 'folder'> {
  const isIndex = asked === '' || isFolder(asked)
  const path = isIndex ? asked + site.indexDoc : asked
  if (pathProblem(path) !== null) refuse(storageErrors.noFile, { path: path.slice(0, 200) })
  const file = await find(ctx, site, path)
  if (file) return { file, status: 200, ttlSeconds: cacheSecondsOf(site.cacheRules, path) }
  if (!isIndex && (await find(ctx, site, `${asked}/${site.indexDoc}`))) return 'folder'
  const isPage = isIndex || !nameOf(asked).includes('.')
  const page = site.isSinglePage && isPage ? await find(ctx, site, site.indexDoc) : null
  if (page) return { file: page, status: 200, ttlSeconds: cacheSecondsOf(site.cacheRules, site.indexDoc) }
  const error = site.errorDoc === null ? null : await find(ctx, site, site.errorDoc)
  if (error) return { file: error, status: 404, ttlSeconds: missingSeconds }
  return refuse(storageErrors.noFile, { path })
}

function find(ctx: Context, site: SiteFacts, path: string): Promise<ObjectWithContent | null> {
  const { bucket } = site
  const seconds = Math.min(60, Math.max(missingSeconds, cacheSecondsOf(site.cacheRules, path)))
  return siteCacheOf(ctx.server).file(bucket.bucketId, path, seconds, () =>
    within(ctx, bucket).transact(inner => findWithContent(inner, bucket.bucketId, path)),
  )
}

async function serve(
  ctx: Context,
  { bucket }: SiteFacts,
  { file, status, ttlSeconds }: Found,
  request: FastifyRequest,
  policy: Record<string, string>,
): Promise<Download> {
  const cache = siteCacheOf(ctx.server)
  const answer = await answerFile(
    ctx.server,
    bucket,
    file,
    // The page of errors is whole, whatever of the missing one was asked for.
    status === 200 ? request : { method: request.method, headers: {} },
    {
      ...policy,
      'content-disposition': file.contentDisposition ?? 'inline',
      'cache-control': file.cacheControl ?? `public, max-age=${ttlSeconds}`,
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      // Scripts and fonts of pages without an origin come from another one, as a browser sees it.
      'access-control-allow-origin': '*',
    },
    (_file, range) => cache.open(bucket, file, range),
  )
  await countUse(ctx.server, bucket, 'classB', answer.body === null ? 0 : Number(answer.headers['content-length'] ?? 0))
  return status === 404 ? { ...answer, status } : answer
}
