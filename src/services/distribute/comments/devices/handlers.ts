import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { type Context, systemContext } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import {
  countStars,
  deviceDigest,
  installationOf,
  networkOfCaller,
  type ShownApp,
  shownApp,
} from '../../store/public.ts'
import { testsOfSecret } from '../../versions/testing/public.ts'
import { errors } from '../contract.ts'
import { ratingOfApp } from '../stats.ts'
import { comments, commentVotes } from '../tables.ts'
import { deviceComments, testComments } from './contract.ts'
import { forgetSummary, publicPage, summaryOf, toOwn } from './reading.ts'
import { type Author, ownOf, takeBack, writeComment } from './writing.ts'

interface Device {
  deviceId: string
  deviceSecret: string
}

/** Devices have no team: what they may write, their installation says. */
const inZoneOf = <T>(ctx: Context, app: ShownApp, work: (inner: Context) => Promise<T>): Promise<T> =>
  systemContext(ctx.server, app.zone, { name: 'comments of devices' }).transact(work)

async function authorOf(ctx: Context, inner: Context, app: ShownApp, device: Device): Promise<Author> {
  const { appId, teamId } = app
  const found = await installationOf(inner, appId, device)
  if (found === 'none') refuse(errors.noInstall)
  if (found === 'other') refuse(errors.notOwner)
  const { device: author, ...version } = found
  return { appId, teamId, author, isTest: false, ...version, source: networkOfCaller(ctx, appId) }
}

export default implement(deviceComments, {
  getSummary: async (ctx, { params }) => {
    const app = await shownApp(ctx.server, params.packageName)
    return summaryOf(ctx.server, app.appId, ctx.now(), () => inZoneOf(ctx, app, inner => ratingOfApp(inner, app.appId)))
  },

  listComments: async (ctx, { params, query }) => {
    const app = await shownApp(ctx.server, params.packageName)
    return inZoneOf(ctx, app, inner => publicPage(inner, app.appId, query))
  },

  getOwnComment: async (ctx, { params, body }) => {
    const app = await shownApp(ctx.server, params.packageName)
    return inZoneOf(ctx, app, async inner => {
      const row = await ownOf(inner, await authorOf(ctx, inner, app, body))
      return { comment: row ? await toOwn(inner, row) : null }
    })
  },

  writeComment: async (ctx, { params, body }) => {
    const { deviceId, deviceSecret, ...wish } = body
    const app = await shownApp(ctx.server, params.packageName)
    const row = await inZoneOf(ctx, app, async inner => {
      const author = await authorOf(ctx, inner, app, { deviceId, deviceSecret })
      return toOwn(inner, await writeComment(inner, author, wish))
    })
    // Hidden words are no opinion that a release is judged by.
    if (!row.isHidden) countStars(ctx.server, deviceId, row.versionId, row.stars)
    forgetSummary(ctx.server, app.appId)
    return row
  },

  deleteComment: async (ctx, { params, body }) => {
    const app = await shownApp(ctx.server, params.packageName)
    await inZoneOf(ctx, app, async inner => {
      const row = await ownOf(inner, await authorOf(ctx, inner, app, body), true)
      if (!row) refuse(errors.commentMissing, { id: 'of this device' })
      if (row.revision !== body.revision) refuse(commonErrors.stale, { revision: row.revision })
      await takeBack(inner, row)
    })
    forgetSummary(ctx.server, app.appId)
    return {}
  },

  voteHelpful: async (ctx, { params, body }) => {
    const app = await shownApp(ctx.server, params.packageName)
    const { commentId } = params
    return inZoneOf(ctx, app, async inner => {
      const { author: device, appId, teamId } = await authorOf(ctx, inner, app, body)
      const [row] = await inner.db
        .select()
        .from(comments)
        .where(
          and(
            ...[eq(comments.commentId, commentId), eq(comments.appId, appId), eq(comments.isTest, false)],
            ...[ne(comments.text, ''), inArray(comments.state, ['VISIBLE', 'APPEALED'])],
          ),
        )
        .for('update')
      if (!row || row.author === device) refuse(errors.commentMissing, { id: commentId })
      const own = and(eq(commentVotes.commentId, commentId), eq(commentVotes.device, device))
      const changed = body.helpful
        ? await inner.db
            .insert(commentVotes)
            .values({ commentId, device, teamId, appId, at: ctx.now() })
            .onConflictDoNothing()
            .returning()
        : await inner.db.delete(commentVotes).where(own).returning()
      const by = changed.length === 0 ? 0 : body.helpful ? 1 : -1
      await inner.db
        .update(comments)
        .set({ helpful: sql`${comments.helpful} + ${by}` })
        .where(eq(comments.commentId, commentId))
      return { helpful: row.helpful + by }
    })
  },
})

export const ofTests = implement(testComments, {
  writeTestComment: async (ctx, { body }) => {
    const { token, deviceId, packageName, ...wish } = body
    return systemContext(ctx.server, ctx.zone, { name: 'comments of testers' }).transact(async inner => {
      const tests = await testsOfSecret(inner, token, { device: deviceId, isUse: false })
      const offer = tests?.offers.find(one => (one.package.packageName ?? one.app.packageName) === packageName)
      if (!offer) refuse(commonErrors.notFound, { entity: 'test', id: packageName })
      const { app, version } = offer
      const { appId, teamId } = app
      const author: Author = {
        ...{ appId, teamId, isTest: true, versionId: version.versionId },
        author: deviceDigest(ctx.server, appId, `test ${token} ${deviceId}`),
        versionCode: offer.package.versionCode ?? '0',
        versionName: offer.package.versionName ?? '',
        source: networkOfCaller(ctx, appId),
      }
      return toOwn(inner, await writeComment(inner, author, wish))
    })
  },
})
