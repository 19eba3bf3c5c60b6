import { type Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { OutsideError } from './outside-error.ts'

export interface BodyLimits {
  /** Counted after decompression. */
  limitBytes: number
  /** A sender below `minBytesPerSecond` over this long is given up. */
  slowWindowMs: number
  minBytesPerSecond: number
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** The body as its reader gets it: unpacked, counted, and ended with an `OutsideError` where it breaks a limit. */
export function limitBody(raw: Readable, encoding: string, limits: BodyLimits): Readable {
  const pace = watchPace(raw, limits)
  const counted = countBytes(limits.limitBytes)
  const fail = (error: Error) => counted.destroy(asOutside(error))
  raw.on('error', fail)
  counted.on('close', () => {
    clearInterval(pace)
    raw.destroy()
  })
  if (encoding === '' || encoding === 'identity') return raw.pipe(counted)
  const decoder = decoders[encoding]?.()
  if (!decoder) {
    counted.destroy(new OutsideError('unreachable', new Error(`content-encoding ${encoding}`)))
    return counted
  }
  decoder.on('error', fail)
  counted.on('close', () => decoder.destroy())
  return raw.pipe(decoder).pipe(counted)
}

function countBytes(limitBytes: number): Transform {
  let found = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      found += chunk.length
      done(found > limitBytes ? new OutsideError('tooLarge') : null, chunk)
    },
  })
}

/** Counts what comes while somebody reads: a slow reader is no slow sender. */
function watchPace(raw: Readable, { slowWindowMs, minBytesPerSecond }: BodyLimits): NodeJS.Timeout {
  let came = 0
  let hasWaited = false
  raw.on('data', (chunk: Buffer) => {
    came += chunk.length
  })
  raw.on('pause', () => {
    hasWaited = true
  })
  return setInterval(() => {
    if (!hasWaited && !raw.isPaused() && came < (minBytesPerSecond * slowWindowMs) / 1000) {
      raw.destroy(new OutsideError('tooSlow'))
    }
    came = 0
    hasWaited = false
  }, slowWindowMs)
}

/** What went wrong, in words that tell nothing of the network behind us. */
export function asOutside(error: unknown): OutsideError {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof OutsideError) return at
    if (
      at.name === 'TimeoutError' ||
      /^UND_ERR_(BODY|HEADERS|CONNECT)_TIMEOUT$/.test((at as { code?: string }).code ?? '')
    ) {
      return new OutsideError('tooSlow', error)
    }
  }
  return new OutsideError('unreachable', error)
}
