import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const worthBytes = 1024
const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Writes a `.br` and a `.gz` beside every text of the built console that is worth it; the server sends those. */
export async function compressConsole(folder: string): Promise<void> {
  await Promise.all(globSync('**/*.{js,css,html,svg,json}', { cwd: folder }).map(name => compress(folder + name)))
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < worthBytes) return
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const written = [toBrotli(bytes, { params }), toGzip(bytes, { level: constants.Z_BEST_COMPRESSION })]
  const [small = bytes, wider = bytes] = await Promise.all(written)
  await Promise.all([writeFile(`${file}.br`, small), writeFile(`${file}.gz`, wider)])
}
