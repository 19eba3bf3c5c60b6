import { open } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import mediaInfoFactory from 'mediainfo.js'
import type { VideoFacts } from './video.ts'

/** Reads one film's headers in a thread of its own, with limits on memory, time and bytes, and ends. */
interface Work {
  path: string
  sizeBytes: number
  readLimitBytes: number
}

/** Each has a signature that noise does not have; raw streams and old animations are told by two bytes and some luck. */
const containers = new Set([
  'MPEG-4',
  'Matroska',
  'WebM',
  'AVI',
  'MPEG-TS',
  'MPEG-PS',
  'Ogg',
  'Flash Video',
  'Windows Media',
])

const { path, sizeBytes, readLimitBytes } = workerData as Work
const handle = await open(path, 'r')
const reader = await mediaInfoFactory({ format: 'object', coverData: false, full: false })
let readBytes = 0
const found = await reader.analyzeData(sizeBytes, async (wanted, offset) => {
  readBytes += wanted
  if (readBytes > readLimitBytes) throw new Error('too much of the file had to be read')
  const chunk = new Uint8Array(wanted)
  const { bytesRead } = await handle.read(chunk, 0, wanted, offset)
  return chunk.subarray(0, bytesRead)
})
const tracks = found.media?.track ?? []
const general = tracks.find(one => one['@type'] === 'General')
const video = tracks.find(one => one['@type'] === 'Video')
const audio = tracks.find(one => one['@type'] === 'Audio')
const whole = (value: number | undefined) => (value === undefined || !Number.isFinite(value) ? null : Math.round(value))
const seconds = video?.Duration ?? general?.Duration
const facts: VideoFacts | null =
  video && containers.has(general?.Format ?? '')
    ? {
        width: whole(video.Width),
        height: whole(video.Height),
        durationMs: whole(seconds === undefined ? undefined : seconds * 1000),
        container: general?.Format ?? null,
        codec: video.Format ?? null,
        audioCodec: audio?.Format ?? null,
        bitRate: whole(video.BitRate ?? general?.OverallBitRate),
        frameRate: video.FrameRate ?? null,
        rotation: whole(video.Rotation === undefined ? undefined : Number(video.Rotation)),
      }
    : null
reader.close()
await handle.close()
parentPort?.postMessage(facts)
