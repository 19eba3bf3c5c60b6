import type { IncomingHttpHeaders } from 'node:http'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { covers } from '../../../kernel/permissions.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import { type Context, systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { judgeBearer } from '../../ground/api-clients/public.ts'
import { appClientOf, projectsOf } from '../../ground/projects/public.ts'
import { appUserKeys } from './key-ring.ts'
import { type Proven, proveToken } from './tokens.ts'

export interface AppUser {
  uid: string
  /** How the user signed in, by the field’s numbers: 0 anonymous, 11 phone, 12 e-mail. */
  provider: number
  isAnonymous: boolean
  /** What the team keeps of the user for rules. */
  claims: Record<string, unknown>
  /** Epoch milliseconds. */
  expiresAt: number
}

export interface AppCaller {
  projectId: string
  teamId: string
  zone: ZoneId
  /** Null of a server of the team. */
  appId: string | null
  isServer: boolean
  user: AppUser | null
}

/** What this service itself needs of a caller, besides. */
export interface KnownCaller extends AppCaller {
  /** Of the app’s client, or of the program. */
  clientId: string
  /** Names the installation: the client token it came with. */
  requester: string
  session: { familyId: string; authAt: number } | null
}

interface Client {
  authorization: string
  caller: Omit<KnownCaller, 'user' | 'session'>
  endsAt: number
}

interface User {
  token: string
  user: AppUser
  projectId: string
  session: { familyId: string; authAt: number }
}

interface Project {
  projectId: string
  teamId: string
  zone: ZoneId
  readAt: number
}

const mostTokens = 20_000
const projectKeptMs = 60_000
export const callerChannel = 'appauth'
export const clientChannel = 'appclients'

/** The public clients send it as `access_token`, that of functions as `accessToken`. Refuses two that are not the same. */
function userTokenOf({ access_token: one = '', accesstoken: other = '' }: IncomingHttpHeaders): string | undefined {
  const token = one === '' ? other : one
  if (typeof token !== 'string' || (other !== '' && other !== token)) refuse(commonErrors.tokenExpired)
  return token === '' ? undefined : token
}

/** The end of a token is of its signature. To look it up by that costs a call a fraction of what the whole one would. */
const tailOf = (token: string) => token.slice(-32)

/** Judges tokens of apps, servers and users: each once, then from memory until it ends or a signal tells of a change. */
export class CallerJudge {
  readonly #server: Server
  /** Both by the tail of the token. */
  readonly #clients = new Map<string, Client>()
  readonly #users = new Map<string, User>()
  /** By what the tokens stand for: `u <uid>`, `f <family>`. */
  readonly #tailsOf = new Map<string, Set<string>>()
  readonly #projects = new Map<string, Project>()
  /** Counts what was told: what was loaded meanwhile is not kept. */
  #changes = 0

  constructor(server: Server) {
    this.#server = server
  }

  /** Call before the signals start. */
  listen(): void {
    const { signals, config } = this.#server
    for (const zone of config.zones) {
      appUserKeys.of(this.#server, zone).listen()
      signals.on(zone, callerChannel, payload => this.#forget(payload))
    }
    signals.on('home', clientChannel, () => {
      this.#changes++
      this.#clients.clear()
      this.#projects.clear()
    })
  }

  async judge(headers: IncomingHttpHeaders): Promise<KnownCaller> {
    const { authorization = '' } = headers
    const client = this.#knownClient(authorization) ?? (await this.#client(authorization, headers))
    const token = userTokenOf(headers)
    if (token === undefined) return callerOf(client, null)
    return callerOf(client, this.#knownUser(token) ?? (await this.#user(token, client.zone)))
  }

  /** Undefined where it takes a look at the database, or a signature, to say. */
  known(headers: IncomingHttpHeaders): KnownCaller | undefined {
    const client = this.#knownClient(headers.authorization ?? '')
    if (!client) return undefined
    const token = userTokenOf(headers)
    if (token === undefined) return callerOf(client, null)
    const user = this.#knownUser(token)
    return user && callerOf(client, user)
  }

  #knownClient(authorization: string): Client['caller'] | undefined {
    const known = this.#clients.get(tailOf(authorization))
    return known?.authorization === authorization && known.endsAt > this.#server.clock.now() ? known.caller : undefined
  }

  #knownUser(token: string): User | undefined {
    const known = this.#users.get(tailOf(token))
    return known?.token === token && known.user.expiresAt > this.#server.clock.now() ? known : undefined
  }

  #forget(payload: string): void {
    this.#changes++
    if (payload === '') {
      this.#users.clear()
      this.#tailsOf.clear()
      return
    }
    for (const tail of this.#tailsOf.get(payload) ?? []) this.#users.delete(tail)
    this.#tailsOf.delete(payload)
  }

  async #client(authorization: string, headers: IncomingHttpHeaders): Promise<Client['caller']> {
    if (!/^Bearer /i.test(authorization)) refuse(commonErrors.tokenInvalid)
    const token = authorization.slice(7)
    const changes = this.#changes
    const proven = await proveToken(this.#server, 'client', token)
    if (proven === null) return this.#program(token, headers)
    if (proven === 'expired') refuse(commonErrors.tokenInvalid)
    const client = await this.#inHome(ctx => appClientOf(ctx, proven.sub))
    if (!client || client.projectId !== proven.aud) refuse(commonErrors.tokenInvalid)
    const { projectId, teamId, appId, clientId } = client
    const caller = {
      ...{ projectId, teamId, appId, clientId, zone: client.zone },
      isServer: false,
      requester: proven.jti,
    }
    if (changes === this.#changes) {
      if (this.#clients.size >= mostTokens) this.#clients.clear()
      this.#clients.set(tailOf(authorization), { authorization, caller, endsAt: proven.exp * 1000 })
    }
    return caller
  }

  /** A server of the team comes with the token of an API client, which is judged from memory each time. */
  async #program(token: string, headers: IncomingHttpHeaders): Promise<Client['caller']> {
    const { bearer } = await judgeBearer(this.#server, token)
    if (!bearer?.permissions.has('appAuth.server')) refuse(commonErrors.tokenInvalid)
    const projectId = headers['productid']
    if (typeof projectId !== 'string' || !/^[1-9][0-9]{0,18}$/.test(projectId)) refuse(commonErrors.tokenInvalid)
    const project = await this.#project(projectId)
    const isOwn = project?.teamId === bearer.teamId && covers(bearer.scope, { projectId })
    if (!project || !isOwn || bearer.zone !== project.zone) refuse(commonErrors.tokenInvalid)
    const { teamId, zone } = project
    const { clientId } = bearer
    return { projectId, teamId, zone, appId: null, isServer: true, clientId, requester: clientId }
  }

  async #project(projectId: string): Promise<Project | null> {
    const now = this.#server.clock.now()
    const known = this.#projects.get(projectId)
    if (known && now - known.readAt < projectKeptMs) return known
    const [found] = await this.#inHome(ctx => projectsOf(ctx, [projectId]))
    if (!found) return null
    const { teamId, zone } = found
    if (this.#projects.size >= mostTokens) this.#projects.clear()
    const project = { projectId, teamId, zone, readAt: now }
    this.#projects.set(projectId, project)
    return project
  }

  async #user(token: string, zone: ZoneId): Promise<User> {
    const changes = this.#changes
    const proven = await proveToken(this.#server, 'user', token)
    if (proven === null || proven === 'expired') refuse(commonErrors.tokenExpired)
    const familyId = String(proven['fam'])
    const row = await readUser(this.#server, zone, proven, familyId)
    if (!row) refuse(commonErrors.tokenExpired)
    const user: User = {
      token,
      user: {
        uid: proven.sub,
        provider: Number(proven['provider']),
        isAnonymous: row.isAnonymous,
        claims: row.claims,
        expiresAt: proven.exp * 1000,
      },
      projectId: proven.aud,
      session: { familyId, authAt: Number(row.authAt) },
    }
    if (changes === this.#changes) this.#keep(user)
    return user
  }

  #keep(user: User): void {
    if (this.#users.size >= mostTokens) this.#forget('')
    const tail = tailOf(user.token)
    this.#users.set(tail, user)
    for (const key of [`u ${user.user.uid}`, `f ${user.session.familyId}`]) {
      const tails = this.#tailsOf.get(key) ?? new Set()
      tails.add(tail)
      this.#tailsOf.set(key, tails)
    }
  }

  #inHome<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
    const zone = this.#server.config.zones[0] ?? 'CN'
    return systemContext(this.#server, zone, { name: 'appAuth' }).transact(work)
  }
}

/** Refuses a user of another project. */
function callerOf(client: Client['caller'], user: User | null): KnownCaller {
  if (user && user.projectId !== client.projectId) refuse(commonErrors.tokenExpired)
  return { ...client, user: user?.user ?? null, session: user?.session ?? null }
}

interface UserFound {
  isAnonymous: boolean
  claims: Record<string, unknown>
  authAt: string
}

/** The user of a token while it may act: active, the session going on, and the token not from before a revocation. */
async function readUser(server: Server, zone: ZoneId, proven: Proven, familyId: string): Promise<UserFound | null> {
  if (!/^[1-9][0-9]{0,18}$/.test(familyId)) return null
  const ctx = systemContext(server, zone, { name: 'appAuth' })
  const { rows } = await ctx.transact(inner =>
    inner.transaction(zone).query<UserFound>({
      name: 'app user of token',
      text: `SELECT u.is_anonymous AS "isAnonymous", u.claims, s.auth_at AS "authAt"
        FROM app_users u JOIN app_user_sessions s ON s.uid = u.uid
        WHERE u.uid = $1 AND u.project_id = $2 AND u.state = 'ACTIVE' AND u.tokens_after <= $4
          AND s.family_id = $3 AND s.ended_at IS NULL`,
      values: [proven.sub, proven.aud, familyId, (proven.iat + 1) * 1000],
    }),
  )
  return rows[0] ?? null
}

const judges = new WeakMap<Server, CallerJudge>()

/** One judge a process. */
export function callerJudgeOf(server: Server): CallerJudge {
  let judge = judges.get(server)
  if (!judge) {
    judge = new CallerJudge(server)
    judges.set(server, judge)
  }
  return judge
}
