import { lifeCycle } from '../../../kernel/life-cycle.ts'

const KiB = 1024
const MiB = 1024 * KiB
const GiB = 1024 * MiB

/** What a file is for; it decides the limit and which contents are taken. */
export const bizTags = ['app_pkg', 'app_img', 'app_video', 'app_qual', 'app_cert', 'comment_img', 'tmp'] as const
export type BizTag = (typeof bizTags)[number]

const images = ['image/png', 'image/jpeg', 'image/webp'] as const
const zips = ['application/vnd.android.package-archive', 'application/zip'] as const

/** Contents by tag, as sniffed from the bytes; null takes any. Sizes: brief distribution 3.2 and 3.3. */
export const bizTagRules: Readonly<Record<BizTag, { limitBytes: number; mimes: readonly string[] | null }>> = {
  app_pkg: { limitBytes: 4 * GiB, mimes: null },
  app_img: { limitBytes: 5 * MiB, mimes: images },
  app_video: { limitBytes: 500 * MiB, mimes: ['video/mp4', 'video/quicktime'] },
  app_qual: { limitBytes: 20 * MiB, mimes: [...images, ...zips, 'application/pdf'] },
  app_cert: { limitBytes: MiB, mimes: null },
  comment_img: { limitBytes: 5 * MiB, mimes: images },
  tmp: { limitBytes: 500 * MiB, mimes: null },
}

/** Widths in pixels that a picture is served in; `full` is its own size, without what the camera wrote into it. */
export const pictureSizes = ['full', '64', '128', '256', '512', '1024'] as const
export type PictureSize = (typeof pictureSizes)[number]

/** Kinds of contents that can be served as pictures. */
export const pictureMimes: readonly string[] = images

/** Tags of papers and keys: an address of one outlives its giver's right by minutes, not by an hour. */
export const closeTags: readonly BizTag[] = ['app_qual', 'app_cert']

export const fileLimits = {
  nameLength: 255,
  addressesAtOnce: 100,
  deletedAtOnce: 100,
  addressLifeMs: 3_600_000,
  closeAddressLifeMs: 5 * 60_000,
  /** Parts of a large file over a slow line take longer than the hour of a plain address. */
  partAddressLifeMs: 24 * 3_600_000,
  tempLifeMs: 24 * 3_600_000,
  uploadLifeMs: 7 * 24 * 3_600_000,
  /** A deleted object's row is kept this long for people who ask what became of it. */
  deletedRowLifeMs: 30 * 24 * 3_600_000,
  garbageWaitMs: 10 * 60_000,
  /** Bytes that no row names after this long never get one. */
  orphanAfterMs: 24 * 3_600_000,
  minPartBytes: 5 * MiB,
  maxPartBytes: 100 * MiB,
  usualPartBytes: 8 * MiB,
  maxParts: 10_000,
  maxPixels: 40_000_000,
} as const

export const fileStates = ['INIT', 'UPLOADING', 'TEMP', 'NORMAL', 'DELETED'] as const
export type FileState = (typeof fileStates)[number]
export type FileAction = 'receive' | 'compose' | 'hold' | 'release' | 'delete' | 'abort' | 'expire'

/** INIT: an address was given. UPLOADING: in parts. TEMP: bytes in, nobody refers to it, lives 24 h. NORMAL: referred to. */
export const fileCycle = lifeCycle<FileState, FileAction, 'isLastReference'>({
  entity: 'file',
  states: fileStates,
  moves: [
    { from: ['INIT'], action: 'receive', to: 'TEMP', may: 'files.upload', event: 'file.uploaded' },
    { from: ['UPLOADING'], action: 'compose', to: 'TEMP', may: 'files.upload', event: 'file.uploaded' },
    { from: ['UPLOADING'], action: 'abort', to: 'DELETED', may: 'files.upload', event: 'file.deleted' },
    { from: ['TEMP', 'NORMAL'], action: 'hold', to: 'NORMAL', may: 'system', event: 'file.held' },
    {
      from: ['NORMAL'],
      action: 'release',
      to: facts => (facts.isLastReference ? 'TEMP' : 'NORMAL'),
      may: 'system',
      event: 'file.released',
    },
    { from: ['INIT', 'TEMP'], action: 'delete', to: 'DELETED', may: 'files.upload', event: 'file.deleted' },
    { from: ['INIT', 'UPLOADING', 'TEMP'], action: 'expire', to: 'DELETED', may: 'system', event: 'file.expired' },
  ],
})

/** The states an action starts from. */
export function statesBefore(action: FileAction): FileState[] {
  return fileCycle.moves.filter(move => move.action === action).flatMap(move => [...move.from])
}

/** The parts of a file: all of `partSize`, the last what is left. */
export function planParts(sizeBytes: number, wantedPartSize?: number): { partSize: number; partCount: number } {
  const partSize = wantedPartSize ?? fileLimits.usualPartBytes
  return { partSize, partCount: Math.max(1, Math.ceil(sizeBytes / partSize)) }
}

export function sizeOfPart(plan: { sizeBytes: number; partSize: number; partCount: number }, part: number): number {
  return part < plan.partCount ? plan.partSize : plan.sizeBytes - plan.partSize * (plan.partCount - 1)
}

/** What most names are; the rules for the others cost ten times as much. */
const safeAlready = /^[A-Za-z0-9_-][A-Za-z0-9_. -]{0,150}\.[A-Za-z0-9]{1,10}$/

/** A name that no file system, header or reader's eye stumbles over: no folders, controls, or text direction marks. */
export function safeFileName(name: string): string {
  if (safeAlready.test(name)) return name
  const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, '')
    .replace(/["<>|:*?;]/g, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  if (plain === '') return 'file'
  const extension = extensionOf(plain)
  return plain.length <= 200 ? plain : `${[...plain].slice(0, 180).join('')}.${extension}`
}

/** Lower case, up to 10 letters and digits; `bin` where there is none. */
export function extensionOf(name: string): string {
  return /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? 'bin'
}

const tagByExtension: Readonly<Record<string, BizTag>> = {
  ...tagged('app_pkg', ['apk', 'aab', 'hap', 'hsp', 'app', 'rpk', 'wpk', 'exe', 'obb']),
  ...tagged('app_img', ['png', 'jpg', 'jpeg', 'webp']),
  ...tagged('app_video', ['mp4', 'mov']),
  ...tagged('app_qual', ['pdf']),
  ...tagged('app_cert', ['cer', 'crt', 'pem', 'p7b', 'p12', 'jks', 'csr']),
}

function tagged(tag: BizTag, extensions: readonly string[]): Record<string, BizTag> {
  return Object.fromEntries(extensions.map(extension => [extension, tag]))
}

/** The tag of a file whose sender gave none. */
export function bizTagOf(fileName: string): BizTag {
  return tagByExtension[extensionOf(fileName)] ?? 'tmp'
}
