import { type Readable, Transform } from 'node:stream'

/** Passes bytes on and tells, at most once a percent, how much of what was announced has come. */
export function counted(source: Readable, announcedBytes: number, tell: (percent: number) => void): Readable {
  let came = 0
  let told = 0
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      came += chunk.length
      const percent = announcedBytes > 0 ? Math.min(99, Math.floor((came * 100) / announcedBytes)) : 0
      if (percent > told) tell(percent)
      told = percent
      done(null, chunk)
    },
  })
  source.on('error', error => through.destroy(error))
  through.on('close', () => source.destroy())
  return source.pipe(through)
}
