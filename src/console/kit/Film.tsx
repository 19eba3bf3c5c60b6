import './kit.css'

interface FilmProps {
  src: string
  /** What is shown before it begins. */
  cover?: string | undefined
  /** What it is, for whoever does not see it. */
  name: string
}

/** A film with its controls; it begins when somebody says so. */
export function Film({ src, cover, name }: FilmProps) {
  return (
    <video
      className="lg-film"
      src={src}
      {...(cover !== undefined && { poster: cover })}
      controls
      playsInline
      preload="metadata"
      aria-label={name}
    />
  )
}
