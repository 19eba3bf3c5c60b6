import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const worthBytes = 1024

/** Writes a `.br` and a `.gz` beside every text of the built console that is worth it; the server sends those. */
export function compressConsole(folder: string): void {
  for (const name of globSync('**/*.{js,css,html,svg,json}', { cwd: folder })) {
    const bytes = readFileSync(folder + name)
    if (bytes.length < worthBytes) continue
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    }
    writeFileSync(`${folder}${name}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${folder}${name}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
