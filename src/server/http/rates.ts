import type { FastifyRequest } from 'fastify'
import type { CallSpec, RateClass } from '../../kernel/contract.ts'
import type { Config } from '../config.ts'
import { bearerOf, credentialOf } from './credential.ts'

/** Calls a minute of one call for one caller (its session, else its address). */
export const callsPerMinute: Record<RateClass, number> = {
  signIn: 20,
  clue: 30,
  anonymous: 60,
  device: 6_000,
  read: 3_000,
  write: 600,
  upload: 600,
  data: 60_000,
}

/** The class of a call: as its contract says, else by audience and method. */
export function rateClassOf(call: CallSpec): RateClass {
  if (call.rate) return call.rate
  if (call.kind === 'protocol') return 'device'
  if (call.who === 'anonymous') return 'anonymous'
  if (call.kind === 'upload') return 'upload'
  return call.method === 'GET' ? 'read' : 'write'
}

/** Sign-in is counted by address alone, so that a new cookie is no new allowance. */
export function rateKey(rate: RateClass, config: Config): (request: FastifyRequest) => string {
  if (rate === 'signIn' || rate === 'anonymous' || rate === 'device' || rate === 'data') return request => request.ip
  // A program is counted by address, too: no cookie that it adds is a new allowance.
  return request => (bearerOf(request) === undefined ? credentialOf(request, config) : undefined) ?? request.ip
}
