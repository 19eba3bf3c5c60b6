import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { holdObjects, objectsOf, releaseObjects, type StoredObject } from '../../ground/files/public.ts'
import type { AppRow } from '../apps/public.ts'
import { qualification as contract } from './contract.ts'
import { codesFor, definitionOf } from './needs.ts'
import { fileLimitOf, limits, validityProblem } from './rules.ts'
import type { QualificationInfo } from './tables.ts'
import { kindIdsOf } from './tags.ts'

export interface GivenInfo {
  qualificationCode: string
  files: readonly { objectId: string }[]
  validityType: number
  startTime?: number | null
  expireTime?: number | null
}

const says = {
  NEEDED: 'say from when to when it counts',
  ORDER: 'it ends before it begins',
  OVER: 'it has ended',
} as const

/** The papers as they are kept: known to the tag, each once, with files that are there and as they may be. Refuses the rest. */
export async function readPapers(
  ctx: Context,
  tagId: number,
  given: readonly GivenInfo[],
): Promise<QualificationInfo[]> {
  const known = codesFor(kindIdsOf(tagId))
  const ids = given.flatMap(info => info.files.map(file => file.objectId))
  const objects = await objectsOf(ctx, ids)
  const seen = new Set<string>()
  return given.map(info => {
    const { qualificationCode } = info
    const def = definitionOf(qualificationCode)
    if (!def || !known.includes(qualificationCode)) refuse(contract.errors.unknownCode, { qualificationCode, tagId })
    if (seen.has(qualificationCode)) refuse(contract.errors.twice, { qualificationCode })
    seen.add(qualificationCode)
    const validity = {
      validityType: info.validityType === 1 ? (1 as const) : (0 as const),
      startTime: info.validityType === 1 ? null : (info.startTime ?? null),
      expireTime: info.validityType === 1 ? null : (info.expireTime ?? null),
    }
    const problem = validityProblem(validity, def, ctx.now())
    if (problem) refuse(contract.errors.validity, { qualificationCode, says: says[problem] })
    const files = [...new Set(info.files.map(file => file.objectId))].map(objectId => {
      const object = objects.get(objectId)
      if (!object) refuse(contract.errors.fileMissing, { tagId, missing: objectId })
      return toScan(object, def)
    })
    return { qualificationCode, files: files.slice(0, limits.filesOfInfo), ...validity }
  })
}

function toScan(object: StoredObject, def: NonNullable<ReturnType<typeof definitionOf>>) {
  const { objectId, fileName, sizeBytes, sha256, mime, bizTag } = object
  const limitBytes = bizTag === 'app_qual' ? fileLimitOf(def, mime) : null
  if (limitBytes === null) refuse(contract.errors.wrongType, { fileName, mime })
  if (sizeBytes > limitBytes) refuse(contract.errors.tooLarge, { fileName, sizeBytes, limitBytes })
  return { objectId, fileName, fileSize: sizeBytes, sha256 }
}

/** The files of papers, each as often as a paper names it. */
export function filesOf(infos: readonly QualificationInfo[]): string[] {
  return infos.flatMap(info => info.files.map(file => file.objectId))
}

/** Refers to the new files and lets go of the old ones; a file in both is never without a reference. */
export async function exchangeFiles(
  ctx: Context,
  app: AppRow,
  before: readonly QualificationInfo[],
  after: readonly QualificationInfo[],
): Promise<void> {
  await holdObjects(ctx, filesOf(after), app)
  await releaseObjects(ctx, filesOf(before))
}
