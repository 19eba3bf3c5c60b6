import { and, eq } from 'drizzle-orm'
import ipaddr from 'ipaddr.js'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { Context } from '../../../server/context.ts'
import { type ProjectSummary, projectOf } from '../../ground/projects/public.ts'
import type { KnownCaller } from './caller.ts'
import { errors } from './contract.ts'
import { type ProviderName, providerNamed } from './rules.ts'
import { type AuthSettings, authMethods, authProducts, type HostSettings } from './tables.ts'

export type ProductRow = typeof authProducts.$inferSelect
export type MethodRow = typeof authMethods.$inferSelect

export const defaultSettings: AuthSettings = {
  enabled: true,
  accessSeconds: 172_800,
  refreshDays: 60,
  rotation: 'byUse',
  passwordPolicy: { minLength: 8, classes: 2 },
  allowedOrigins: [],
  smsCountries: { mode: 'ALL', list: [] },
  smsPerDay: 1000,
  smsEngine: 'outbox',
  smsWebhookUrl: '',
  sendsWelcome: false,
  mfa: 'OFF',
}

export const defaultHost: HostSettings = {
  enabled: false,
  appName: '',
  logoUrl: '',
  color: '#0a59f7',
  supportMail: '',
  termsUrl: '',
  privacyUrl: '',
  redirectUris: [],
}

/** A project of the caller's team whose data stays in the zone of the call. */
export async function projectHere(ctx: Context, projectId: string): Promise<ProjectSummary> {
  const project = await projectOf(ctx, projectId)
  return project.zone === ctx.zone ? project : refuse(commonErrors.zoneInvalid)
}

export async function productRow(ctx: Context, projectId: string): Promise<ProductRow | null> {
  const [row] = await ctx.db.select().from(authProducts).where(eq(authProducts.projectId, projectId))
  return row ?? null
}

/** How users of a project sign in; with the defaults for what was never set. */
export async function settingsOf(ctx: Context, projectId: string): Promise<AuthSettings> {
  return { ...defaultSettings, ...(await productRow(ctx, projectId))?.settings }
}

export async function methodOf(ctx: Context, projectId: string, provider: number): Promise<MethodRow | null> {
  const [row] = await ctx.db
    .select()
    .from(authMethods)
    .where(and(eq(authMethods.projectId, projectId), eq(authMethods.provider, provider)))
  return row ?? null
}

export interface OpenMethod {
  name: ProviderName
  row: MethodRow
  settings: AuthSettings
}

/** A way in that is on; the settings come with it. Refuses when it, or all signing in, is off. */
export async function openMethod(ctx: Context, projectId: string, provider: number): Promise<OpenMethod> {
  const settings = await settingsOf(ctx, projectId)
  if (!settings.enabled) refuse(errors.serviceOff)
  const name = providerNamed(provider)
  const row = name === null ? null : await methodOf(ctx, projectId, provider)
  if (name === null || !row?.enabled) refuse(errors.providerOff, { provider: name ?? String(provider) })
  return { name, row, settings }
}

/** A context over the rows of the project that calls: its team, its zone. */
export function inProject(ctx: Context, caller: Pick<KnownCaller, 'teamId' | 'zone'>): Context {
  const { teamId, zone } = caller
  if (!ctx.server.config.zones.includes(zone)) refuse(commonErrors.zoneInvalid)
  return new Context(ctx.server, { ...ctx.place, teamId, zone, scope: { team: teamId } })
}

/** From where a call comes, as it is counted and kept: no address can be read out of it. */
export function placeOf(ctx: Context): string {
  return ctx.server.masterKey.sign('app auth place', networkOf(ctx.place.ip)).slice(0, 22)
}

/** One customer has a whole /64 of IPv6 addresses, and an IPv4 address may be spelt as IPv6. */
function networkOf(ip: string | null): string {
  if (ip === null || !ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.')
}
