import path from 'node:path'
import { type ZoneId, zones } from '../../../kernel/zones.ts'
import type { Config } from '../../config.ts'
import { FileBytes } from './files.ts'
import type { BytesEngine } from './port.ts'
import { S3Bytes } from './s3.ts'

/** Whose bytes: each area is cleared of what its own service does not name. */
export type BytesArea = 'files' | 'storage' | 'functions' | 'events'

/** The engine that the configuration names, with a root or prefix of its own for each zone. */
export function openBytes(config: Config, zone: ZoneId, area: BytesArea = 'files'): BytesEngine {
  const { slug } = zones[zone]
  const folder = area === 'files' ? 'bytes' : area
  if (config.bytes === 'files') return new FileBytes(path.join(config.dataDir, folder, slug))
  const url = URL.canParse(config.bytes) ? new URL(config.bytes) : null
  if (url?.protocol !== 's3:' || url.hostname === '') {
    throw new Error(`LOGGIA_BYTES is ${config.bytes}; it must be files or s3://bucket?endpoint=...&region=...`)
  }
  const endpoint = url.searchParams.get('endpoint')
  const region = url.searchParams.get('region')
  return new S3Bytes({
    bucket: url.hostname,
    prefix: [...url.pathname.split('/').filter(Boolean), ...(area === 'files' ? [] : [area]), slug].join('/'),
    cacheDir: path.join(config.dataDir, 'cache', folder, slug),
    ...(endpoint ? { endpoint } : {}),
    ...(region ? { region } : {}),
  })
}
