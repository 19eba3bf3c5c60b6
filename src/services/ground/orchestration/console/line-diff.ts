export interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'folded'
  text: string
}

const shownAround = 3

/** The lines of two texts, those that are in both once: by their longest common row. */
export function diffOf(before: string, after: string): DiffLine[] {
  const one = before.split('\n')
  const other = after.split('\n')
  const common = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1))
  const at = (row: number, column: number) => common[row]?.[column] ?? 0
  for (let row = one.length - 1; row >= 0; row--) {
    for (let column = other.length - 1; column >= 0; column--) {
      const best =
        one[row] === other[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
      const line = common[row]
      if (line) line[column] = best
    }
  }
  const lines: DiffLine[] = []
  let row = 0
  let column = 0
  while (row < one.length || column < other.length) {
    if (row < one.length && column < other.length && one[row] === other[column]) {
      lines.push({ kind: 'same', text: one[row] ?? '' })
      row++
      column++
    } else if (column >= other.length || (row < one.length && at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ kind: 'removed', text: one[row++] ?? '' })
    } else lines.push({ kind: 'added', text: other[column++] ?? '' })
  }
  return lines
}

/** Only what changed, with a few lines around it; the others are folded into one. */
export function foldedDiffOf(before: string, after: string): DiffLine[] {
  const lines = diffOf(before, after)
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - shownAround), at + shownAround + 1).some(line => line.kind !== 'same')
  return lines.flatMap((line, at): DiffLine[] => {
    if (isNear(at)) return [line]
    return at > 0 && !isNear(at - 1) ? [] : [{ kind: 'folded', text: '' }]
  })
}
