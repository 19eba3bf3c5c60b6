import type { Level } from './rules.ts'

export interface FilmFacts {
  width: number | null
  height: number | null
  durationMs: number | null
  container: string | null
  codec: string | null
  audioCodec: string | null
  rotation: number | null
}

const shortestMs = 15_000
const longestMs = 120_000
const smallestSide = 720
const codecs = ['AVC', 'HEVC']

/** What a listing's video is objected to: 15 to 120 seconds, 720 pixels, a codec that every phone plays. */
export function videoHits(film: FilmFacts | null): { rule: string; level: Level; seen: string }[] {
  if (!film) return [{ rule: 'video.unreadable', level: 'BLOCK', seen: '' }]
  const { width, height, durationMs, codec, audioCodec, rotation } = film
  const hits: { rule: string; level: Level; seen: string }[] = []
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
