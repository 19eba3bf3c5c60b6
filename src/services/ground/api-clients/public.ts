import { inArray } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Gatekeeper, TokenJudged } from '../../../server/gatekeeper.ts'
import type { Server } from '../../../server/server.ts'
import { apiClients } from './tables.home.ts'
import { TokenJudge } from './token-judge.ts'

const judges = new WeakMap<Server, TokenJudge>()

/** Judges the token of a program, from memory on the hot path: for calls that are of no team and so pass no gate. */
export async function judgeBearer(server: Server, token: string): Promise<TokenJudged> {
  return (await judges.get(server)?.judge(token)) ?? { bearer: null, reason: 'unknown' }
}

/** Adds programs to who may call: judges their tokens, asking what the people who answer for them may do now. */
export function withClients(server: Server, people: Omit<Gatekeeper, 'identifyToken'>): Gatekeeper {
  const judge = new TokenJudge(server, people)
  judges.set(server, judge)
  return {
    ...people,
    start: () => {
      people.start()
      judge.listen()
    },
    identifyToken: token => judge.judge(token),
  }
}

/** Clients' names by id, for who reads what they did; deleted ones are left out. The scope of rows must reach them. */
export async function clientNamesOf(ctx: Context, clientIds: readonly string[]): Promise<Map<string, string>> {
  if (clientIds.length === 0) return new Map()
  const rows = await ctx.home
    .select({ clientId: apiClients.clientId, name: apiClients.name })
    .from(apiClients)
    .where(inArray(apiClients.clientId, [...clientIds]))
  return new Map(rows.map(one => [one.clientId, one.name]))
}
