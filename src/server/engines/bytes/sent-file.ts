import { close, read } from 'node:fs'
import { ServerResponse } from 'node:http'
import { Readable, type Writable } from 'node:stream'
import type { Range } from './port.ts'

const chunkBytes = 65_536
const sentBytes = 4 * chunkBytes
const mostSpare = 32
/** Of downloads that are over. */
const spare: Buffer[] = []

/**
 * A stored file as a stream. Sent as the body of an answer it goes through one buffer that is filled again as soon as the
 * socket has taken it, and that the next download uses: a new buffer for each chunk, left to the collector, costs more than
 * reading and sending.
 */
export class SentFile extends Readable {
  readonly #fd: number
  readonly #endsBefore: number
  #at: number
  #isReading = false

  /** Takes the descriptor over. */
  constructor(fd: number, range?: Range) {
    super({ highWaterMark: chunkBytes })
    this.#fd = fd
    this.#at = range?.start ?? 0
    this.#endsBefore = range === undefined ? Number.POSITIVE_INFINITY : range.end + 1
  }

  override pipe<Target extends NodeJS.WritableStream>(target: Target, options?: { end?: boolean }): Target {
    if (!(target instanceof ServerResponse) || options !== undefined) return super.pipe(target, options)
    this.#send(target, spare.pop() ?? Buffer.allocUnsafeSlow(sentBytes))
    return target
  }

  override _read(): void {
    const buffer = Buffer.allocUnsafeSlow(Math.max(0, Math.min(chunkBytes, this.#endsBefore - this.#at)))
    this.#fill(buffer, size => this.push(size === 0 ? null : buffer.subarray(0, size)))
  }

  /** The descriptor is closed when nothing reads from it any more. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const end = () => close(this.#fd, failed => done(error ?? failed))
    if (this.#isReading) this.once('settled', end)
    else end()
  }

  /** Through one buffer: the next bytes are read when the target has let go of those before. */
  #send(target: Writable, buffer: Buffer): void {
    this.#fill(
      buffer,
      size => {
        if (size === 0) {
          giveBack(buffer)
          target.end()
          this.push(null)
          this.resume()
          return
        }
        target.write(buffer.subarray(0, size), failed => {
          if (failed || this.destroyed) this.destroy()
          else this.#send(target, buffer)
        })
      },
      () => giveBack(buffer),
    )
  }

  /** Reads on; 0 is the end. */
  #fill(buffer: Buffer, then: (size: number) => void, dropped?: () => void): void {
    const wanted = Math.min(buffer.length, this.#endsBefore - this.#at)
    if (wanted <= 0) {
      then(0)
      return
    }
    this.#isReading = true
    read(this.#fd, buffer, 0, wanted, this.#at, (error, size) => {
      this.#isReading = false
      this.emit('settled')
      if (error || this.destroyed) dropped?.()
      if (this.destroyed) return
      if (error) return void this.destroy(error)
      this.#at += size
      then(size)
    })
  }
}

function giveBack(buffer: Buffer): void {
  if (spare.length < mostSpare) spare.push(buffer)
}
