import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** One entry of `LOGGIA_OUTBOUND_ALLOW`: a private target that the operator wants reached. */
export type AllowedTarget = { host: string; port: number } | { network: [Address, number] }

/** Reads `host:port`, an address, or a network such as `10.1.0.0/16`. Throws a sentence that names the entry. */
export function readAllowed(entry: string): AllowedTarget {
  const text = entry.trim().toLowerCase()
  if (ipaddr.isValidCIDR(text)) return { network: ipaddr.parseCIDR(text) }
  if (ipaddr.isValid(text)) {
    const address = ipaddr.process(text)
    return { network: [address, address.kind() === 'ipv4' ? 32 : 128] }
  }
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+):(\d{1,5})$/.exec(text)
  if (!match)
    throw new Error(`LOGGIA_OUTBOUND_ALLOW has ${entry}; an entry is host:port, an address or a network a.b.c.d/n`)
  return { host: match[1] as string, port: Number(match[2]) }
}

/** Whether the operator named this host with this port. */
export function isHostAllowed(allowed: readonly AllowedTarget[], hostname: string, port: number): boolean {
  return allowed.some(one => 'host' in one && one.host === hostname && one.port === port)
}

/** Whether a connection to the address may be made: a public one that is not this machine's own, or one the operator named. */
export function isAddressAllowed(allowed: readonly AllowedTarget[], text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = plain(ipaddr.parse(text))
  const isNamed = allowed.some(one => 'network' in one && isWithin(address, one.network))
  return isNamed || (isPublic(address) && !isOwn(address))
}

const globalUnicast = ipaddr.parseCIDR('2000::/3')

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || isWithin(address, globalUnicast)
}

/** The IPv4 address inside an IPv6 one, where it is only another spelling or a gateway's (RFC 4291 2.5.5.2, RFC 6052 2.1). */
function plain(address: Address): Address {
  if (address.kind() === 'ipv4') return address
  const six = address as ipaddr.IPv6
  if (six.isIPv4MappedAddress()) return six.toIPv4Address()
  const isNat64 = isWithin(six, ipaddr.parseCIDR('64:ff9b::/96'))
  return isNat64 ? new ipaddr.IPv4(six.toByteArray().slice(12)) : six
}

function isWithin(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && (address as ipaddr.IPv4).match(network as ipaddr.IPv4, bits)
}

function isOwn(address: Address): boolean {
  const own = Object.values(networkInterfaces()).flatMap(list => list ?? [])
  return own.some(one => plain(ipaddr.parse(one.address.split('%')[0] as string)).toString() === address.toString())
}
