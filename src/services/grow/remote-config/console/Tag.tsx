import type { CSSProperties } from 'react'
import type { TagColor } from '../rules.ts'

const shades: Readonly<Record<TagColor, string>> = {
  BLUE: '#2f6fed',
  BROWN: '#8d6e63',
  CYAN: '#00a3b8',
  DEEP_ORANGE: '#e4572e',
  GREEN: '#2e9e52',
  INDIGO: '#5360d8',
  LIME: '#8ba61f',
  ORANGE: '#d98200',
  PINK: '#d6417f',
  PURPLE: '#8e4ec6',
  TEAL: '#12908a',
}

/** The name of a condition beside its colour. */
export function Tag({ name, color }: { name: string; color: TagColor | undefined }) {
  return (
    <span className="rcs-tag" translate="no" style={{ '--rcs-tag': color && shades[color] } as CSSProperties}>
      {name}
    </span>
  )
}
