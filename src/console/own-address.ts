/**
 * An address that our server signed, as seen from here. The server writes the name it was told (`LOGGIA_URL`); a person
 * who opened the console by another name still reaches the same server, and signatures are of the path alone.
 */
export function ownAddress(signed: string): string {
  const { pathname, search } = new URL(signed, location.href)
  return pathname + search
}
