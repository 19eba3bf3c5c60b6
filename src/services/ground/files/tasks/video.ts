import { Worker } from 'node:worker_threads'
import { taskLimits } from './rules.ts'

export interface VideoFacts {
  width: number | null
  height: number | null
  durationMs: number | null
  container: string | null
  codec: string | null
  audioCodec: string | null
  bitRate: number | null
  frameRate: number | null
  rotation: number | null
}

/**
 * What a film says of itself; null where the file is no container or has no video track. Throws when its headers cannot
 * be read within the limits.
 */
export async function readVideo(path: string, sizeBytes: number, signal?: AbortSignal): Promise<VideoFacts | null> {
  const worker = new Worker(new URL('./media-worker.ts', import.meta.url), {
    workerData: { path, sizeBytes, readLimitBytes: taskLimits.videoReadBytes },
    resourceLimits: { maxOldGenerationSizeMb: taskLimits.videoMemoryMb },
    stdout: true,
    stderr: true,
  })
  const limits = AbortSignal.any([AbortSignal.timeout(taskLimits.videoReadMs), ...(signal ? [signal] : [])])
  try {
    return await new Promise<VideoFacts | null>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', code => reject(new Error(`the reader ended with ${code}`)))
      limits.addEventListener('abort', () => reject(limits.reason), { once: true })
    })
  } finally {
    await worker.terminate()
  }
}
