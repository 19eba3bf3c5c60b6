/** The head of a 64-bit ELF library with one loadable segment of the given alignment. */
export function elfLibrary(alignmentBytes: number): Buffer {
  const bytes = Buffer.alloc(5000)
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
  bytes.writeBigUInt64LE(64n, 32)
  bytes.writeUInt16LE(56, 54)
  bytes.writeUInt16LE(1, 56)
  bytes.writeUInt32LE(1, 64)
  bytes.writeBigUInt64LE(BigInt(alignmentBytes), 64 + 48)
  return bytes
}
