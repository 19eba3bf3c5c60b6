import type { PackageReport } from '../facts.ts'
import type { PackageKind } from '../rules.ts'
import { readAab } from './aab.ts'
import { readApk } from './apk.ts'
import { readExe } from './exe.ts'
import { readHap } from './hap.ts'
import { readHarmonyApp } from './harmony-app.ts'
import { readObb } from './obb.ts'
import { readRpk } from './rpk.ts'
import { readWeb } from './web.ts'

/** Raised when a reader finds more than before: packages with the same bytes are then read anew. */
export const readerGeneration = 2

type Reader = (path: string, context: { fileName: string; targetSdkFloor: number }) => Promise<PackageReport>

const readers: Readonly<Record<PackageKind, Reader>> = {
  APK: readApk,
  AAB: readAab,
  HAP: readHap,
  HSP: readHap,
  APP: readHarmonyApp,
  RPK: readRpk,
  H5: readWeb,
  WPK: readWeb,
  EXE: readExe,
  OBB: (path, { fileName }) => readObb(path, fileName),
}

/** Reads a package of any kind. Broken and hostile files become findings; throws only when reading fails. */
export function readPackage(kind: PackageKind, path: string, context: Parameters<Reader>[1]): Promise<PackageReport> {
  return readers[kind](path, context)
}
