import ipaddr from 'ipaddr.js'

/** The network that an address is counted by: one customer has a whole /64 of IPv6 addresses, and an IPv4 address may be spelt as IPv6. */
export function networkOf(ip: string | null): string {
  if (ip === null || !ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return address.toString()
  return `${address.toByteArray().slice(0, 8).join('.')}/64`
}
