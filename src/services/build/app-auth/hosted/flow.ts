import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../../server/context.ts'
import { type TemplateLanguage, templateLanguages } from '../rules.ts'
import { issuerOf } from '../tokens.ts'
import { type Asked, hostedTimes } from './rules.ts'

export interface Flow extends Asked {
  language: TemplateLanguage
  /** When the page was first opened, epoch milliseconds. */
  at: number
}

const cookieName = 'loggia_app_page'
const purpose = 'app auth page'

/** What an app asked for, as the page carries it from step to step: nobody else can write one. */
export function sealFlow(ctx: Context, flow: Flow): string {
  return ctx.server.masterKey.seal(purpose, ctx.zone, JSON.stringify(flow))
}

export function openFlow(ctx: Context, sealed: unknown): Flow | null {
  if (typeof sealed !== 'string' || sealed.length > 8000) return null
  try {
    const flow = JSON.parse(ctx.server.masterKey.open(purpose, ctx.zone, sealed)) as Flow
    return ctx.now() - flow.at < hostedTimes.flowMs ? flow : null
  } catch {
    return null
  }
}

/** The browser’s own secret; a new one where there is none. */
export function browserOf(request: FastifyRequest): { browser: string; isNew: boolean } {
  const pair = request.headers.cookie?.split(/; */).find(one => one.startsWith(`${cookieName}=`))
  const kept = pair?.slice(cookieName.length + 1)
  return kept !== undefined && /^[A-Za-z0-9_-]{43}$/.test(kept)
    ? { browser: kept, isNew: false }
    : { browser: randomBytes(32).toString('base64url'), isNew: true }
}

/** Sent along with navigations from the app’s page, and with nothing else of other sites. */
export function browserCookie(ctx: Context, browser: string): string {
  const { pathname, protocol } = new URL(issuerOf(ctx.server, ctx.zone))
  const secure = protocol === 'https:' ? '; Secure' : ''
  return `${cookieName}=${browser}; Path=${pathname}; HttpOnly; SameSite=Lax; Max-Age=${hostedTimes.flowMs / 1000}${secure}`
}

/** A form is of the page that this browser was shown, and of no other. */
export function csrfOf(ctx: Context, browser: string, sealed: string): string {
  return ctx.server.masterKey.sign('app auth form', `${browser} ${sealed}`)
}

export function isFormOwn(ctx: Context, request: FastifyRequest, sealed: string, csrf: unknown): boolean {
  const { browser, isNew } = browserOf(request)
  const { origin } = request.headers
  const own = new URL(ctx.server.config.publicUrl).origin
  if (isNew || typeof csrf !== 'string' || (origin !== undefined && origin !== own)) return false
  return ctx.server.masterKey.verify('app auth form', `${browser} ${sealed}`, csrf)
}

/** The language that was asked for, else that of the browser. */
export function languageAsked(request: FastifyRequest, asked: unknown): TemplateLanguage {
  const wished = `${typeof asked === 'string' ? asked : ''} ${request.headers['accept-language'] ?? ''}`
  const found = wished
    .split(/[\s,]+/)
    .map(one => one.slice(0, 2).toLowerCase())
    .find(one => templateLanguages.some(language => language === one))
  return templateLanguages.find(language => language === found) ?? 'en'
}
