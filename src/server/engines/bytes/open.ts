import path from 'node:path'
import { type ZoneId, zones } from '../../../kernel/zones.ts'
import type { Config } from '../../config.ts'
import { FileBytes } from './files.ts'
import type { BytesEngine } from './port.ts'

/** The engine that the configuration names, with a root of its own for each zone. */
export function openBytes(config: Config, zone: ZoneId): BytesEngine {
  return new FileBytes(path.join(config.dataDir, 'bytes', zones[zone].slug))
}
