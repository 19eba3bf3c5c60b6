import { buffer } from 'node:stream/consumers'
import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { Context as CallContext } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { holdObjects, objectsOf, readObject, type StoredObject, takeForm } from '../../../ground/files/public.ts'
import { appsOf } from '../../apps/public.ts'
import type { DeviceFacts } from '../tables.ts'
import { feedback, pictures } from '../tables.ts'
import type { TestFacts } from '../test-doors.ts'
import { betaTester as contract } from '../tester/contract.ts'
import { isLogKind, feedbackLimits as limits } from './rules.ts'

const { errors } = contract
const purpose = 'beta picture'
const LOOK_BYTES = 64 * 1024

/** Who says something about which test: a person of a group, or somebody with the address of an open test. */
export interface Sender {
  test: TestFacts
  userId: string | null
  /** A keyed digest: what is counted. */
  key: string
}

/** A tester's own digest; of an open test that of his network address, which is kept nowhere. It is of one app alone. */
export function senderKey(ctx: Context, appId: string, userId: string | null, ip: string | null): string {
  return ctx.server.masterKey.sign('beta sender', userId === null ? `open ${appId} ${ip}` : `user ${userId}`)
}

/** Lets one picture or log in for ten minutes. It says, sealed, for whom: the tester's own secret is not in it. */
export async function fileTicket(ctx: Context, sender: Sender, extension: string): Promise<string> {
  await mustNotFlood(ctx, sender)
  const { test, key } = sender
  const said = [test.teamId, key, extension, ctx.now() + limits.ticketMs].join('|')
  return ctx.server.masterKey.seal(purpose, ctx.zone, said)
}

/** Takes a picture or a log in, for the team whose test it is about; it lives a day unless it is put into words. */
export async function takeFile(ctx: Context, ticket: string, request: FastifyRequest): Promise<string> {
  const [teamId = '', key = '', extension = '', until = '0'] = opened(ctx, ticket).split('|')
  if (Number(until) <= ctx.now()) refuse(errors.pictureTicket)
  const place = { ...ctx.place, teamId, scope: { team: teamId } }
  const receiver = new CallContext(ctx.server, place)
  await receiver.transact(inner => mustTakeFile(inner, key))
  const isLog = isLogKind(extension)
  const most = isLog ? { limitBytes: limits.logBytes } : {}
  const stored = await takeForm(receiver, request, { extension, check: () => undefined, ...most })
  if (isLog) await mustBeLog(receiver, stored)
  else if (!isPicture(stored)) refuse(errors.noPicture, { mime: stored.mime })
  await receiver.transact(async inner => {
    await mustTakeFile(inner, key)
    await inner.db.insert(pictures).values({ objectId: stored.objectId, teamId, sender: key, at: inner.now() })
  })
  return stored.objectId
}

const isPicture = ({ mime, width }: Pick<StoredObject, 'mime' | 'width'>) => mime.startsWith('image/') && width !== null

/** Its beginning tells: text has no NUL and is UTF-8, a character that the cut goes through aside. */
async function mustBeLog(ctx: Context, { objectId, mime, sizeBytes }: StoredObject): Promise<void> {
  if (mime === 'application/zip') return
  const { stream } = await ctx.transact(inner =>
    readObject(inner, objectId, { start: 0, end: Math.min(sizeBytes, LOOK_BYTES) - 1 }),
  )
  const head = await buffer(stream)
  try {
    if (head.includes(0)) refuse(errors.noLog)
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
  } catch {
    refuse(errors.noLog)
  }
}

async function mustTakeFile(ctx: Context, key: string): Promise<void> {
  const since = ctx.now() - limits.dayMs
  const sent = await ctx.db.$count(pictures, and(eq(pictures.sender, key), gt(pictures.at, since)))
  if (sent >= limits.filesPerDay) refuse(errors.feedbackMany, { limit: limits.filesPerDay })
}

function opened(ctx: Context, ticket: string): string {
  try {
    return ctx.server.masterKey.open(purpose, ctx.zone, ticket)
  } catch {
    return refuse(errors.pictureTicket)
  }
}

/** Writes down what a tester says; the pictures and logs must be ones that he sent himself. The context must be the system's. */
export async function giveFeedback(
  ctx: Context,
  sender: Sender,
  wish: { text: string; device: DeviceFacts; screenshots: readonly string[]; logs: readonly string[] },
): Promise<string> {
  // Two at once of one sender are counted one after the other.
  await ctx.transaction(ctx.zone).query({
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 208))',
    values: [sender.key],
  })
  await mustNotFlood(ctx, sender)
  const { test, userId, key } = sender
  const [app] = await appsOf(ctx, [test.appId])
  if (!app) refuse(errors.notTesting)
  const [screenshots, logs] = [[...new Set(wish.screenshots)], [...new Set(wish.logs)]]
  await takeOwn(ctx, sender, { screenshots, logs })
  if (screenshots.length + logs.length > 0) {
    await holdObjects(ctx, [...screenshots, ...logs], { appId: app.appId, projectId: app.projectId, isCopy: true })
  }
  const now = ctx.now()
  const feedbackId = ctx.newId()
  const { teamId, appId, versionId, versionName, versionCode } = test
  await ctx.db.insert(feedback).values({
    ...{ feedbackId, teamId, appId, versionId, versionName, versionCode, userId, sender: key, screenshots, logs },
    ...{ text: wish.text.trim(), device: wish.device, state: 'NEW', note: '', createdAt: now, updatedAt: now },
  })
  const data = { appId, versionId, pictures: screenshots.length, logs: logs.length }
  ctx.emit({ type: 'test.feedback', entity: 'testFeedback', entityId: feedbackId, teamId, data })
  return feedbackId
}

/** The files are put into words now; each must be the sender's own, and a picture where a picture is meant. */
async function takeOwn(ctx: Context, { key, test }: Sender, wish: { screenshots: string[]; logs: string[] }) {
  const named = [...wish.screenshots, ...wish.logs]
  if (named.length === 0) return
  const own = await ctx.db
    .delete(pictures)
    .where(and(inArray(pictures.objectId, named), eq(pictures.sender, key), eq(pictures.teamId, test.teamId)))
    .returning({ objectId: pictures.objectId })
  const found = await objectsOf(
    ctx,
    own.map(one => one.objectId),
  )
  for (const field of ['screenshots', 'logs'] as const) {
    for (const [at, objectId] of wish[field].entries()) {
      const object = found.get(objectId)
      if (object && isPicture(object) === (field === 'screenshots')) continue
      const word = field === 'logs' ? 'log' : 'picture'
      throw badField(`/${field}/${at}`, word, `is no ${word} that you sent just now.`)
    }
  }
}

async function mustNotFlood(ctx: Context, { key, test }: Sender): Promise<void> {
  const since = ctx.now() - limits.dayMs
  const sent = await ctx.db.$count(feedback, and(eq(feedback.sender, key), gt(feedback.createdAt, since)))
  if (sent >= limits.perDay) refuse(errors.feedbackMany, { limit: limits.perDay })
  const all = await ctx.db.$count(feedback, and(eq(feedback.versionId, test.versionId), gt(feedback.createdAt, since)))
  if (all >= limits.perVersionPerDay) refuse(errors.feedbackMany, { limit: limits.perVersionPerDay })
}

/** Forgets pictures and logs that nobody put into words; their files have gone by themselves. */
export async function sweepPictures(ctx: Context): Promise<void> {
  await ctx.db.delete(pictures).where(lt(pictures.at, sql`${ctx.now() - limits.dayMs}`))
}
