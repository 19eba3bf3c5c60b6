/** What `Authorization` says of a signed request, or what is wrong with it. */
export function readAuthorization(
  header: string,
): { access: string; signedHeaders: string[]; signature: string } | { problem: string } {
  const rest = /^SDK-HMAC-SHA256\s+(.*)$/.exec(header)?.[1]
  if (rest === undefined) return { problem: 'Authorization begins with SDK-HMAC-SHA256' }
  const parts = new Map(
    rest.split(',').map(part => {
      const at = part.indexOf('=')
      return [part.slice(0, at).trim(), part.slice(at + 1).trim()] as const
    }),
  )
  const [access = '', names = '', signature = ''] = ['Access', 'SignedHeaders', 'Signature'].map(one => parts.get(one))
  const signedHeaders = names.split(';').filter(name => name !== '')
  if (access === '' || signedHeaders.length === 0 || !/^[0-9a-f]{64}$/.test(signature))
    return { problem: 'Access, SignedHeaders or Signature is missing or not as it must be' }
  if (
    signedHeaders.some((name, at) => name !== name.toLowerCase() || (at > 0 && name <= (signedHeaders[at - 1] ?? '')))
  )
    return { problem: 'SignedHeaders are in small letters, in order, each once' }
  return { access, signedHeaders, signature }
}

/** `20261122T110500Z` as epoch milliseconds; null where it is none. */
export function timeOf(at: string): number | null {
  const time = /^\d{8}T\d{6}Z$/.test(at)
    ? Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
    : Number.NaN
  return Number.isNaN(time) ? null : time
}

/** Everything but letters, digits and -_.~ */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, one => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The path as it is signed: each part encoded anew, with a slash at the end. */
export function canonicalPath(path: string): string {
  const whole = path
    .split('/')
    .map(part => encoded(decoded(part)))
    .join('/')
  return whole.endsWith('/') ? whole : `${whole}/`
}

/** The query as it is signed: in order of names, then of values. */
export function canonicalQuery(query: string): string {
  const pairs = query
    .split('&')
    .filter(pair => pair !== '')
    .map(pair => {
      const at = pair.indexOf('=')
      const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
      return [decoded(name.replaceAll('+', ' ')), decoded(value.replaceAll('+', ' '))] as const
    })
  const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
  return [...pairs]
    .sort((a, b) => order(a[0], b[0]) || order(a[1], b[1]))
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&')
}
