import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
export type AddressRange = [Address, number]

/** An address of the internet; one of IPv4 inside IPv6 is that of IPv4. Undefined for anything else, `1` and `0x7f.1` too. */
export function addressOf(value: unknown): Address | undefined {
  if (typeof value !== 'string' || value.length > 45) return undefined
  if (ipaddr.IPv4.isValidFourPartDecimal(value)) return ipaddr.IPv4.parse(value)
  return value.includes(':') && !value.includes('%') && ipaddr.IPv6.isValid(value) ? ipaddr.process(value) : undefined
}

/** A range like 192.0.2.0/24, or one address alone. Undefined for anything else. */
export function rangeOf(value: unknown): AddressRange | undefined {
  if (typeof value !== 'string' || value.length > 49) return undefined
  const [text, bits, more] = value.split('/')
  const address = addressOf(text)
  if (!address || more !== undefined) return undefined
  const most = address.kind() === 'ipv4' ? 32 : 128
  if (bits === undefined) return [address, most]
  if (!/^\d{1,3}$/.test(bits)) return undefined
  // ::ffff:192.0.2.0/120 counts its bits as IPv6 does.
  const length = most === 32 && text?.includes(':') ? Number(bits) - 96 : Number(bits)
  return length >= 0 && length <= most ? [address, length] : undefined
}

/** Whether one of the ranges holds an address. */
export function isInRanges(address: Address, ranges: readonly AddressRange[]): boolean {
  for (const [start, length] of ranges) {
    if (start.kind() === address.kind() && address.match(start as never, length)) return true
  }
  return false
}
