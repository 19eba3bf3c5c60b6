/** Spaces, control and invisible direction characters, backslashes: what makes an address go elsewhere than it looks. */
const hidden = /[\s\p{Cc}\p{Cf}\p{Cs}\\]/u

/**
 * Where a link that somebody wrote leads, or null where it must not be opened (specification, section 5): it starts with
 * http:// or {host}, which stands for our own origin and may be written as either. https:// is http with a lock on it and
 * opens as well. `javascript:`, `data:`, `//host`, `\\host`, an address with a user or password in it and one with hidden
 * characters never open.
 */
export function openableLink(link: string, origin: string): string | null {
  const address = link.replace(/^\{host\}(?=[/?#]|$)/, () => origin)
  if (hidden.test(address) || !/^https?:\/\/[^/?#@]/i.test(address) || !URL.canParse(address)) return null
  const { username, password } = new URL(address)
  return username === '' && password === '' ? address : null
}

/** Whether an address is one of the public web: https, a host name with a dot, no credentials. That it answers is another rule. */
export function isPolicyUrl(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, username, password } = new URL(address)
  const isName = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*[a-z0-9]$/i.test(hostname)
  return protocol === 'https:' && isName && !hostname.endsWith('.localhost') && !username && !password
}
