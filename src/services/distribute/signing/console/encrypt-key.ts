import type { SigningView } from '../contract.ts'

/** Browsers have no cryptography on plain http, but on this very machine. */
export const canEncrypt = (): boolean => globalThis.crypto?.subtle !== undefined

/** A key as its owner gave it to the page. */
export interface GivenKey {
  format: 'PKCS12' | 'PKCS8'
  file: File
  password: string
  alias: string
  /** PEM, for PKCS#8. */
  certificate: string
}

/** The key encrypted to the server's public key, for this app alone: RSA-OAEP around AES-GCM. It leaves the page as that only. */
export async function encryptKey(
  appId: string,
  importKey: NonNullable<SigningView['importKey']>,
  given: GivenKey,
): Promise<string> {
  const { CompactEncrypt, importSPKI } = await import('jose')
  const { kid, publicKey, nonce } = importKey
  const { format, file, password, alias, certificate } = given
  const content = {
    appId,
    nonce,
    format,
    data: base64Of(new Uint8Array(await file.arrayBuffer())),
    ...(password !== '' && { password }),
    ...(alias !== '' && { alias }),
    ...(format === 'PKCS8' && { certificate }),
  }
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(content)))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid })
    .encrypt(await importSPKI(publicKey, 'RSA-OAEP-256'))
}

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
