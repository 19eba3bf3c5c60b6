import type { Socket } from 'node:net'
import type { Outbound } from '../../../../server/outbound.ts'
import { OutsideError } from '../../../../server/outside/outside-error.ts'
import { NotReachable } from '../engine/port.ts'

/** A connection of a function to a public address, or to what the operator opened. Throws `NotReachable` for the rest. */
export async function reach(outbound: Outbound, host: string, port: number): Promise<Socket> {
  return outbound.connect(host, port).catch(error => {
    throw error instanceof OutsideError && error.reason === 'address' ? new NotReachable(error.message) : error
  })
}
