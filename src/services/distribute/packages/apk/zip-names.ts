/**
 * Says whether an entry name could leave the folder it is unpacked into, on any system: `..`, a backslash, an absolute
 * path, a drive letter, a control character, or the same behind percent encoding.
 */
export function isUnsafeName(name: string): boolean {
  return isUnsafePath(name) || (name.includes('%') && isUnsafePath(percentDecoded(name)))
}

function isUnsafePath(name: string): boolean {
  if (name === '' || name.startsWith('/') || name.includes('\\') || /^[a-z]:/i.test(name)) return true
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) < 0x20) return true
  return name.includes('..') && name.split('/').includes('..')
}

function percentDecoded(name: string): string {
  let decoded = name
  // Twice, because some servers decode twice ("%252e").
  for (let round = 0; round < 2; round++) {
    decoded = decoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  return decoded
}
