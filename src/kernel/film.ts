/** What a film says of itself. */
export interface FilmFacts {
  width: number | null
  height: number | null
  durationMs: number | null
  container: string | null
  codec: string | null
  audioCodec: string | null
  rotation: number | null
}

/** One thing about a film; with BLOCK it cannot be published. */
export interface FilmHit {
  rule: (typeof filmRules)[number]
  level: 'BLOCK' | 'WARN' | 'INFO'
  /** What was measured. */
  seen: string
}

/** What can be said of a film. */
export const filmRules = [
  'video.unreadable',
  'video.short',
  'video.long',
  'video.small',
  'video.codec',
  'video.silent',
  'video.rotated',
] as const

/** A film that somebody chose, and what was found when it was looked at; its size is null before. */
export interface CheckedFilm {
  objectId: string
  mime: string
  sizeBytes: number
  width: number | null
  height: number | null
  durationMs: number | null
  state: 'CHECKING' | 'PASSED' | 'FAILED'
  hits: FilmHit[]
}

const shortestMs = 15_000
const longestMs = 120_000
const smallestSide = 720
const codecs = ['AVC', 'HEVC']

/** What a listing's film is objected to, null for one that cannot be read: 15 to 120 seconds, 720 pixels, a codec that every phone plays. */
export function videoHits(film: FilmFacts | null): FilmHit[] {
  if (!film) return [{ rule: 'video.unreadable', level: 'BLOCK', seen: '' }]
  const { width, height, durationMs, codec, audioCodec, rotation } = film
  const hits: FilmHit[] = []
  const seconds = durationMs === null ? '?' : `${Math.round(durationMs / 1000)} s`
  if (durationMs === null || durationMs < shortestMs) hits.push({ rule: 'video.short', level: 'BLOCK', seen: seconds })
  else if (durationMs > longestMs) hits.push({ rule: 'video.long', level: 'BLOCK', seen: seconds })
  const size = `${width ?? '?'}×${height ?? '?'}`
  if (Math.min(width ?? 0, height ?? 0) < smallestSide) hits.push({ rule: 'video.small', level: 'WARN', seen: size })
  if (codec === null || !codecs.includes(codec)) hits.push({ rule: 'video.codec', level: 'BLOCK', seen: codec ?? '?' })
  if (audioCodec === null) hits.push({ rule: 'video.silent', level: 'INFO', seen: '' })
  if (rotation) hits.push({ rule: 'video.rotated', level: 'INFO', seen: `${rotation}°` })
  return hits
}

/** What was found of a film. */
export type FilmSeen = Pick<CheckedFilm, 'state' | 'hits'>

/** What stands against publishing a film; `{lang}` and `{seen}` in the message are to be filled in. */
export interface FilmFault {
  rule: string
  severity: 'BLOCK' | 'WARN'
  message: string
  seen: string
}

const sentences: Readonly<Partial<Record<FilmHit['rule'], string>>> = {
  'video.unreadable': 'The film in {lang} cannot be read; choose another.',
  'video.short': 'The film in {lang} lasts {seen}; it needs at least 15 s.',
  'video.long': 'The film in {lang} lasts {seen}; it may last 120 s at most.',
  'video.small': 'The film in {lang} is {seen}; 720 pixels or more on each side are advised.',
  'video.codec': 'The film in {lang} is coded as {seen}, which not every device plays; use H.264 or HEVC.',
}
const waiting = 'The film in {lang} is still being looked at; submit when that is done.'

/** What stands against publishing a film, nothing where there is none. */
export function filmFaults(film: FilmSeen | null): FilmFault[] {
  if (!film) return []
  if (film.state === 'CHECKING') return [{ rule: 'video.checking', severity: 'BLOCK', message: waiting, seen: '' }]
  return film.hits.flatMap(({ rule, level, seen }) =>
    level === 'INFO' ? [] : [{ rule, severity: level, message: sentences[rule] ?? '', seen }],
  )
}
