import { expect, it } from 'vitest'
import { type KnativeService, nameOf, type State, stateOf } from './manifests.ts'

const ready = (status: string, message?: string) => [{ type: 'Ready', status, ...(message && { message }) }]
const url = 'http://fn.functions.example.com'

it.each<[string, number, KnativeService['status'], State]>([
  ['nothing was said yet', 1, undefined, { is: 'waiting' }],
  ['it is on its way', 1, { observedGeneration: 1, conditions: ready('Unknown') }, { is: 'waiting' }],
  ['it is ready', 1, { observedGeneration: 1, url, conditions: ready('True') }, { is: 'ready', url }],
  ['it has no address yet', 1, { observedGeneration: 1, conditions: ready('True') }, { is: 'waiting' }],
  ['what is said is of before', 2, { observedGeneration: 1, url, conditions: ready('True') }, { is: 'waiting' }],
  ['what failed is of before', 2, { observedGeneration: 1, conditions: ready('False', 'x') }, { is: 'waiting' }],
  [
    'it failed',
    1,
    { observedGeneration: 1, conditions: ready('False', 'no image') },
    { is: 'failed', message: 'no image' },
  ],
  [
    'it failed without words',
    1,
    { observedGeneration: 1, conditions: ready('False') },
    { is: 'failed', message: 'it is not ready' },
  ],
])('%s', (_what, generation, status, state) => {
  expect(stateOf({ metadata: { name: 'fn', generation }, ...(status && { status }) })).toEqual(state)
})

it('a name fits a label of the cluster, and is another one for other code', () => {
  const names = ['a', 'b'].map(one => nameOf('9223372036854775807', one.repeat(64)))
  expect(new Set(names).size).toBe(2)
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9-]{1,62}$/)
})
