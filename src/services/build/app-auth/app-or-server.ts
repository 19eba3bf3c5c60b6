import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { ZoneId } from '../../../kernel/zones.ts'
import { systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { projectOfKey, projectsOf } from '../../ground/projects/public.ts'
import { callerJudgeOf } from './caller.ts'

/** Who asks for values or reports events: an app, or a server of the team. */
export interface AppOrServer {
  projectId: string
  teamId: string
  zone: ZoneId
  /** Only servers of the team see what is for servers. */
  isServer: boolean
  /** What is known of the caller, whatever it says itself. */
  known: Readonly<Record<string, string>>
}

export const keyChannel = 'appauthprojectkeys'
const mostKeys = 5_000
const keptMs = 10_000
const keyLike = /^lgk_[\w-]{20,100}$/

interface KnownKey {
  caller: AppOrServer
  readAt: number
}

/** Keys of projects: each is looked up once, then known for ten seconds or until a signal tells of a change. */
export class KeyMemory {
  readonly #server: Server
  readonly #keys = new Map<string, KnownKey>()
  #changes = 0

  constructor(server: Server) {
    this.#server = server
  }

  /** Before the signals start. */
  listen(): void {
    this.#server.signals.on('home', keyChannel, () => {
      this.#changes++
      this.#keys.clear()
    })
  }

  async callerOf(apiKey: string): Promise<AppOrServer> {
    if (!keyLike.test(apiKey)) refuse(commonErrors.tokenInvalid)
    const name = hash('sha256', apiKey, 'base64url')
    const now = this.#server.clock.now()
    const known = this.#keys.get(name)
    if (known && now - known.readAt < keptMs) return known.caller
    const changes = this.#changes
    const caller = await this.#read(apiKey)
    if (changes === this.#changes) {
      if (this.#keys.size >= mostKeys) this.#keys.clear()
      this.#keys.set(name, { caller, readAt: now })
    }
    return caller
  }

  async #read(apiKey: string): Promise<AppOrServer> {
    const zone = this.#server.config.zones[0] ?? 'CN'
    const ctx = systemContext(this.#server, zone, { name: 'appAuth' })
    const project = await ctx.transact(async inner => {
      const found = await projectOfKey(inner, apiKey, { apiId: 'remote-config' })
      return found && (await projectsOf(inner, [found.projectId]))[0]
    })
    if (!project) refuse(commonErrors.tokenInvalid)
    const { projectId, teamId, zone: home } = project
    return { projectId, teamId, zone: home, isServer: false, known: {} }
  }
}

const memories = new WeakMap<Server, KeyMemory>()

export function keyMemoryOf(server: Server): KeyMemory {
  let memory = memories.get(server)
  if (!memory) {
    memory = new KeyMemory(server)
    memories.set(server, memory)
  }
  return memory
}

/**
 * Who asks: a key of the project in `X-API-Key` or as bearer, or plainly in `Authorization` as older clients send it; else
 * the token of an app or of a server of the team. From memory once it was seen. Refuses 401.
 */
export async function judgeAppOrServer(server: Server, headers: IncomingHttpHeaders): Promise<AppOrServer> {
  const apiKey = headers['x-api-key']
  const sent = headers.authorization?.replace(/^Bearer /i, '')
  const key = typeof apiKey === 'string' && apiKey !== '' ? apiKey : sent
  if (key === undefined) refuse(commonErrors.tokenInvalid)
  const caller = key.startsWith('lgk_')
    ? await keyMemoryOf(server).callerOf(key)
    : await programOf(server, headers, key)
  if (!server.config.zones.includes(caller.zone)) refuse(commonErrors.zoneInvalid)
  return caller
}

async function programOf(server: Server, headers: IncomingHttpHeaders, token: string): Promise<AppOrServer> {
  const caller = await callerJudgeOf(server).judge({ ...headers, authorization: `Bearer ${token}` })
  const { projectId, teamId, zone, isServer, appId, user } = caller
  const known = { ...(appId !== null && { 'app.id': appId }), ...(user && { 'user.id': user.uid }) }
  return { projectId, teamId, zone, isServer, known }
}
