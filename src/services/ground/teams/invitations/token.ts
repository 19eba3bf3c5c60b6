import { createHash, randomBytes } from 'node:crypto'

/** 128 bits, as it stands in the link. */
export function newToken(): string {
  return randomBytes(16).toString('base64url')
}

/** What is kept of a token. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

export function linkOf(publicUrl: string, token: string): string {
  return `${publicUrl}/#/invitation/${token}`
}
