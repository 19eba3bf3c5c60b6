import type { Server } from '../../../server/server.ts'
import { type KnownKey, keyOf, tellUsed } from './keys/secrets.ts'

/**
 * The key of a project by its id, with its secret, for who checks what it signed; null where there is none, it has ended,
 * or it is not for functions. From memory after the first time.
 */
export async function functionsKeyOf(server: Server, accessKeyId: string): Promise<KnownKey | null> {
  const key = await keyOf(server, accessKeyId)
  return key?.services.includes('functions') ? key : null
}

/** Writes down, now and then, that a key is in use: called once its signature was found right. */
export function tellKeyUsed(server: Server, key: KnownKey): void {
  tellUsed(server, key)
}
