import { type DiffLine, lineDiff } from '../../../../console/line-diff.ts'

export interface FoldedLine {
  kind: DiffLine['kind'] | 'folded'
  text: string
}

const shownAround = 3

/** Only what changed, with a few lines around it; the others are folded into one. */
export function foldedDiffOf(before: string, after: string): FoldedLine[] {
  const lines = lineDiff(before, after)
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - shownAround), at + shownAround + 1).some(line => line.kind !== 'same')
  return lines.flatMap((line, at): FoldedLine[] => {
    if (isNear(at)) return [line]
    return at > 0 && !isNear(at - 1) ? [] : [{ kind: 'folded', text: '' }]
  })
}
