import { afterEach, expect, it } from 'vitest'
import { engineTable } from './found.ts'

const { PATH } = process.env
afterEach(() => {
  process.env['PATH'] = PATH
})

it.each(['', '/nowhere', '/etc/passwd', '/nowhere:/etc/passwd'])(
  'with %j to look in, no program is said to be there, and each has its line',
  async path => {
    process.env['PATH'] = path
    const rows = await engineTable({ bytes: 'files' } as never, true)
    const programs = rows.slice(4)
    expect(programs.map(([, state]) => state)).toEqual(programs.map(() => 'missing'))
    for (const [, , words] of programs) expect(words).toMatch(/: apt-get install [a-z]/)
  },
)
