import type { Static } from '../../../../kernel/shape.ts'
import type { Version } from '../../versions/contract.ts'
import { releaseStateOf } from '../../versions/shelf/public.ts'
import type { VersionView } from './contract.ts'

/** A version in the words of the field, and whole. */
export function viewOf(version: Static<typeof Version>): Static<typeof VersionView> {
  const { versionId, appId, versionName, versionCode, onShelfTime, rejection } = version
  return {
    versionId,
    appId,
    versionNumber: versionName,
    versionCode,
    releaseState: releaseStateOf(version),
    releaseType: 1,
    auditOpinion: rejection?.note ?? '',
    releaseTime: onShelfTime,
    version,
  }
}
