import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Outbound } from '../../../../server/outbound.ts'
import { OutsideError } from '../../../../server/outside/outside-error.ts'
import { NotReachable } from '../engine/port.ts'
import { type Egress, isHostListed } from '../scaling/rules.ts'

/**
 * A connection of a function to a public address, or to what the operator opened, where its own rules let it out, too.
 * Throws `NotReachable` for the rest.
 */
export async function reach(
  outbound: Outbound,
  host: string,
  port: number,
  egress: readonly Egress[] = [],
): Promise<Socket> {
  if (egress.some(rule => rule.mode === 'DENY')) throw new NotReachable(`${host} is not let out to`)
  const byAddress = egress.filter(rule => rule.mode === 'ALLOWLIST' && !isHostListed(rule.hosts, host))
  const isListed = (address: string) => byAddress.every(rule => isInNetworks(rule.cidrs, address))
  return outbound.connect(host, port, isListed).catch(error => {
    throw error instanceof OutsideError && error.reason === 'address' ? new NotReachable(error.message) : error
  })
}

/** Whether an address lies in one of the networks, in whichever spelling it comes. */
export function isInNetworks(cidrs: readonly string[], text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  return cidrs.some(cidr => {
    const [network, bits] = ipaddr.parseCIDR(cidr)
    return network.kind() === address.kind() && address.match(network as ipaddr.IPv4 & ipaddr.IPv6, bits)
  })
}

/** Why a network cannot stand in a list; null when it can. */
export function networkProblem(cidr: string): string | null {
  return ipaddr.isValidCIDR(cidr) ? null : 'is no network such as 203.0.113.0/24'
}
