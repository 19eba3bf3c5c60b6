import { diffArrays } from 'diff'

export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** What makes a difference hard to read takes long to find: beyond this only what is equal at both ends is kept. */
const maxEditLength = 2_000

/** Two texts line by line, the longest common ones kept; of texts that share little, what is equal at both ends. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split(/\r?\n/), after.split(/\r?\n/)]
  const parts = diffArrays(a, b, { maxEditLength }) ?? endsOf(a, b)
  return parts.flatMap(({ value, added, removed }) =>
    value.map((text): DiffLine => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text })),
  )
}

function endsOf(a: string[], b: string[]) {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const part = (value: string[], kind: { added?: true; removed?: true } = {}) => ({
    ...{ added: false, removed: false, value },
    ...kind,
  })
  return [
    part(a.slice(0, start)),
    part(a.slice(start, a.length - end), { removed: true }),
    part(b.slice(start, b.length - end), { added: true }),
    part(a.slice(a.length - end)),
  ]
}
