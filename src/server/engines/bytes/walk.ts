import type { BytesEngine } from './port.ts'

/** The addresses of everything stored before an instant, in portions of at most a thousand, with flat memory. */
export async function* storedBefore(engine: BytesEngine, before: number): AsyncGenerator<string[]> {
  for (let at = 0; at < 256; at++) {
    const prefix = at.toString(16).padStart(2, '0')
    let after: string | undefined
    do {
      const stored = await engine.list(prefix, after)
      const old = stored.filter(one => one.storedAt < before).map(one => one.sha256)
      if (old.length > 0) yield old
      after = stored.at(-1)?.sha256
    } while (after !== undefined)
  }
}
