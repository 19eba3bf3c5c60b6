import './kit.css'

interface ThingIconProps {
  name: string
  /** The picture's address; without it the first letter stands. */
  url?: string | undefined
  size?: 'small' | 'large'
}

/** The picture of an app or package beside its name, which says what it is; decoration to a screen reader. */
export function ThingIcon({ name, url, size = 'small' }: ThingIconProps) {
  const style = `lg-thing lg-thing-${size}`
  if (url) return <img className={style} src={url} alt="" loading="lazy" />
  return (
    <span className={style} aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase() ?? '?'}
    </span>
  )
}
