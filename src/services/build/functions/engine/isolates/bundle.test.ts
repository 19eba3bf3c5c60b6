import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Bundles, mapped } from './bundle.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** A package with code of about so many bytes. */
function packed(bytes: number) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-bundle-'))
  folders.push(folder)
  const content = `exports.text = ${JSON.stringify('x'.repeat(bytes))}\nexports.handler = () => {\n  throw new Error('here')\n}\n`
  writeFileSync(path.join(folder, 'index.js'), content)
  return { folder, layers: [], handler: 'index.handler', initialiser: null }
}

describe('packages in one piece', () => {
  it('are made once while there is room for them, and the one that was not asked for longest goes first', async () => {
    const bundles = new Bundles(100_000)
    const [first, second, third] = [packed(40_000), packed(40_000), packed(40_000)]
    const [one, two] = [await bundles.of(first), await bundles.of(second)]
    expect(await bundles.of(first)).toBe(one)
    await bundles.of(third)
    expect(await bundles.of(first)).toBe(one)
    expect(await bundles.of(second)).not.toBe(two)
    expect(await bundles.of(second)).toEqual(two)
  })

  it('that are larger than all the room are made all the same', async () => {
    const bundles = new Bundles(10_000)
    expect((await bundles.of(packed(40_000))).code.toString()).toContain('x'.repeat(40_000))
  })

  it('that cannot be made are tried again', async () => {
    const bundles = new Bundles()
    const wanted = packed(10)
    const file = path.join(wanted.folder, 'index.js')
    writeFileSync(file, 'exports.handler = (')
    await expect(bundles.of(wanted)).rejects.toMatchObject({ fault: { name: 'SyntaxError' } })
    writeFileSync(file, 'exports.handler = () => 1')
    expect((await bundles.of(wanted)).code.toString()).toContain('=> 1')
  })

  it('tell errors with their place in the package, of many in turns', async () => {
    const bundles = new Bundles()
    for (const wanted of [1, 2, 3, 4, 5].map(packed)) {
      const bundle = await bundles.of(wanted)
      const at =
        bundle.code
          .toString()
          .split('\n')
          .findIndex(line => line.includes('throw new Error')) + 1
      const fault = { kind: 'threw', name: 'Error', message: 'here', stack: `Error: here\n at bundle.mjs:${at}:5` }
      for (const _again of [1, 2])
        expect(mapped(fault as never, bundle)).toMatchObject({ stack: 'Error: here\n at index.js:3:3' })
    }
  })
})
