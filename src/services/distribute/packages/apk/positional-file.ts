import { type FileHandle, open } from 'node:fs/promises'

/** A file read by position, so that no archive is ever held in memory as a whole. */
export type PositionalFile = {
  sizeBytes: number
  /** Reads exactly `lengthBytes` bytes; throws when the file ends before. */
  read(offset: number, lengthBytes: number): Promise<Buffer>
  /** Fills `target` from `offset`; throws when the file ends before. */
  readInto(target: Buffer, offset: number): Promise<void>
  close(): Promise<void>
}

/** Opens a regular file; throws what `fs.open` throws when it is not there. */
export async function openPositionalFile(path: string): Promise<PositionalFile> {
  const handle = await open(path, 'r')
  const { size } = await handle.stat()
  const readInto = (target: Buffer, offset: number) => readFully(handle, target, offset)
  const read = async (offset: number, lengthBytes: number) => {
    // Checked before the allocation: a hostile length must not cost memory.
    if (offset < 0 || lengthBytes < 0 || offset + lengthBytes > size)
      throw new RangeError('read past the end of the file')
    const target = Buffer.allocUnsafe(lengthBytes)
    await readInto(target, offset)
    return target
  }
  return { sizeBytes: size, read, readInto, close: () => handle.close() }
}

async function readFully(handle: FileHandle, target: Buffer, offset: number): Promise<void> {
  let done = 0
  while (done < target.length) {
    const { bytesRead } = await handle.read(target, done, target.length - done, offset + done)
    if (bytesRead === 0) throw new RangeError('read past the end of the file')
    done += bytesRead
  }
}

const WINDOW_BYTES = 1 << 20

/**
 * Serves rising reads out of one window, so that thousands of small neighbouring reads cost few system calls.
 * The buffer it answers is valid until the next call.
 */
export function windowReader(file: PositionalFile): (offset: number, lengthBytes: number) => Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(WINDOW_BYTES, file.sizeBytes))
  let window = buffer.subarray(0, 0)
  let windowOffset = 0
  return async (offset, lengthBytes) => {
    if (offset >= windowOffset && offset + lengthBytes <= windowOffset + window.length) {
      return window.subarray(offset - windowOffset, offset - windowOffset + lengthBytes)
    }
    if (lengthBytes > buffer.length || offset + lengthBytes > file.sizeBytes) return file.read(offset, lengthBytes)
    window = buffer.subarray(0, Math.min(buffer.length, file.sizeBytes - offset))
    windowOffset = offset
    await file.readInto(window, offset)
    return window.subarray(0, lengthBytes)
  }
}
