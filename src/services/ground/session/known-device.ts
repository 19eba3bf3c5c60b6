import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../server/context.ts'
import { limits } from './rules.ts'
import { knownDevices } from './tables.home.ts'

const plainName = 'agc_device'

/** With https it carries the `__Host-` prefix, as the session cookie does. */
const nameOf = (ctx: Context) => (ctx.server.config.publicUrl.startsWith('https:') ? `__Host-${plainName}` : plainName)

/** The browser that asks, when it carries a cookie we signed; it says nothing of who uses it. */
export function deviceOf(ctx: Context, request: FastifyRequest): string | null {
  const name = nameOf(ctx)
  const pair = request.headers.cookie?.split(/; */).find(one => one.startsWith(`${name}=`))
  const [deviceId, mac, rest] = pair?.slice(name.length + 1).split('.') ?? []
  if (!deviceId || !mac || rest !== undefined) return null
  return ctx.server.masterKey.verify('device', deviceId, mac) ? deviceId : null
}

/** The device's id when this account has signed in from it before. */
export async function knownDeviceOf(ctx: Context, accountId: string | undefined, deviceId: string | null) {
  if (deviceId === null || accountId === undefined) return null
  const [row] = await ctx.home
    .select({ deviceId: knownDevices.deviceId })
    .from(knownDevices)
    .where(and(eq(knownDevices.deviceId, deviceId), eq(knownDevices.accountId, accountId)))
  return row?.deviceId ?? null
}

/** Remembers that the account signed in from this browser. `isNew` when it had others before and not this one. */
export async function rememberDevice(
  ctx: Context,
  accountId: string,
  given: string | null,
): Promise<{ deviceId: string; isNew: boolean }> {
  const deviceId = given ?? randomBytes(18).toString('base64url')
  const now = ctx.now()
  const before = await ctx.home
    .select({ deviceId: knownDevices.deviceId })
    .from(knownDevices)
    .where(eq(knownDevices.accountId, accountId))
    .limit(1000)
  await ctx.home
    .insert(knownDevices)
    .values({ deviceId, accountId, firstSeenAt: now, lastSeenAt: now })
    .onConflictDoUpdate({ target: [knownDevices.deviceId, knownDevices.accountId], set: { lastSeenAt: now } })
  return { deviceId, isNew: before.length > 0 && !before.some(row => row.deviceId === deviceId) }
}

export function setDeviceCookie(ctx: Context, reply: FastifyReply, deviceId: string): void {
  reply.setCookie(nameOf(ctx), `${deviceId}.${ctx.server.masterKey.sign('device', deviceId)}`, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: ctx.server.config.publicUrl.startsWith('https:'),
    maxAge: limits.deviceLifeMs / 1000,
  })
}
