declare module 'node-forge/lib/sha256.js' {
  interface Digest {
    /** A text whose letters are bytes. */
    update(bytes: string): Digest
    digest(): { toHex(): string; getBytes(): string }
  }
  const sha256: { create(): Digest }
  export default sha256
}

declare module 'node-forge/lib/ed25519.js' {
  const ed25519: {
    verify(given: { message: string; encoding: 'utf8'; signature: Uint8Array; publicKey: Uint8Array }): boolean
  }
  export default ed25519
}
