import type { IncomingMessage } from 'node:http'
import type { Config } from '../config.ts'
import { badField } from './problem.ts'

/** Hosts on which everything lies below one path: neither console nor session is reached there. */
export interface Hosts {
  /** `.sites.example.com` */
  siteSuffix: string | undefined
  s3: string | undefined
}

/** The hosts that the configuration names. */
export function hostsOf(config: Config): Hosts {
  return {
    siteSuffix: config.hostingDomain && `.${nameOf(config.hostingDomain)}`,
    s3: config.s3Url && new URL(config.s3Url).hostname,
  }
}

/** The address below its path, for a host that has one; undefined for every other. */
export function takeHost(
  request: { url?: string; headers: { host?: string }; isOnOwnHost?: boolean },
  { siteSuffix, s3 }: Hosts,
): string | undefined {
  if (siteSuffix === undefined && s3 === undefined) return undefined
  const host = nameOf(request.headers.host ?? '')
  const url = request.url ?? '/'
  if (siteSuffix !== undefined && host.endsWith(siteSuffix)) {
    request.isOnOwnHost = true
    return `/hosting/${host.slice(0, -siteSuffix.length)}${url.startsWith('/') ? url : '/'}`
  }
  return host === s3 ? `/s3${url.startsWith('/') ? url : '/'}` : undefined
}

const nameOf = (host: string) => host.replace(/:\d+$/, '').toLowerCase()

/** The refusal of a request that names two hosts: whoever stands in front may have gone by the other one. */
export function refuseSecondHost({ rawHeaders }: IncomingMessage): Error | undefined {
  let found = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') found++
  }
  return found > 1 ? badField('/host', 'single', 'is sent twice', 'header') : undefined
}
