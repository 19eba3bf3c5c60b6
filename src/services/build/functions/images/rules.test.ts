import { expect, it } from 'vitest'
import { imageProblem, mayBePulled, nameOf, nanoCpusOf, readImage } from './rules.ts'

const digest = `sha256:${'0a'.repeat(32)}`

it.each<[string, string, ReturnType<typeof readImage>]>([
  [
    'localhost/resize:1',
    'localhost/resize:1',
    { registry: 'localhost', repository: 'localhost/resize', tag: '1', digest: null },
  ],
  [
    'registry.example.com/team/resize',
    'registry.example.com/team/resize:latest',
    {
      ...{ registry: 'registry.example.com', repository: 'registry.example.com/team/resize' },
      ...{ tag: 'latest', digest: null },
    },
  ],
  [
    'registry.example.com:5000/a/b_c.d:1.2-x',
    'registry.example.com:5000/a/b_c.d:1.2-x',
    {
      ...{ registry: 'registry.example.com:5000', repository: 'registry.example.com:5000/a/b_c.d' },
      ...{ tag: '1.2-x', digest: null },
    },
  ],
  [
    `127.0.0.1:5000/a:1@${digest}`,
    `127.0.0.1:5000/a@${digest}`,
    { registry: '127.0.0.1:5000', repository: '127.0.0.1:5000/a', tag: '1', digest },
  ],
])('%s is asked for as %s', (text, name, reference) => {
  expect(imageProblem(text)).toBeNull()
  expect(readImage(text)).toEqual(reference)
  expect(nameOf(readImage(text))).toBe(name)
})

it.each<[string, RegExp]>([
  ['resize', /begin with its registry/],
  ['resize:1', /begin with its registry/],
  ['team/resize', /begin with its registry/],
  ['http://registry.example.com/resize', /begin with its registry/],
  ['-x.example.com/resize', /begin with its registry/],
  ['localhost/Resize', /lower case/],
  ['localhost/', /lower case/],
  ['localhost/a//b', /lower case/],
  ['localhost/../b', /lower case/],
  ['localhost/a b', /lower case/],
  ['localhost/a:', /tag/],
  ['localhost/a:$(id)', /tag/],
  ['localhost/a@sha256:12', /digest/],
  ['localhost/a@md5:12', /digest/],
  [`localhost/${'a'.repeat(400)}`, /400/],
])('%s is no name of an image', (text, problem) => expect(imageProblem(text)?.problem).toMatch(problem))

it.each<[string[], string, boolean]>([
  [[], 'registry.example.com/a', false],
  [['registry.example.com'], 'registry.example.com/a', true],
  [['registry.example.com'], 'registry.example.com.evil.example/a', false],
  [['registry.example.com/team'], 'registry.example.com/team/a', true],
  [['registry.example.com/team'], 'registry.example.com/team', true],
  [['registry.example.com/team'], 'registry.example.com/teams/a', false],
  [['a.example.com', 'b.example.com'], 'b.example.com/x', true],
])('where %j may be fetched from, %s may: %s', (allowed, text, may) =>
  expect(mayBePulled(allowed, readImage(text))).toBe(may),
)

it('a container gets half a processor, and more with more memory', () => {
  expect([128, 1000, 2000, 4000].map(nanoCpusOf)).toEqual([5e8, 5e8, 1e9, 2e9])
})
