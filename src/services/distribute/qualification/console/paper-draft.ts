import type { CallInput } from '../../../../console/client.ts'
import type { qualification } from '../contract.ts'
import { type DefView, fileCalls, type TaskView } from './qualification-calls.ts'

/** A paper as it is being put together; days as the date picker writes them. */
export interface PaperDraft {
  qualificationCode: string
  files: { objectId: string; fileName: string; fileSize: number }[]
  isForEver: boolean
  from: string
  to: string
}

type Given = CallInput<typeof qualification.calls.updateTask>['body']['qualificationInfos'][number]

const two = (number: number) => String(number).padStart(2, '0')

function dayOf(at: number | null): string {
  if (at === null) return ''
  const local = new Date(at)
  return `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}`
}

/** Midnight where the reader is; null when it is no day. */
function instantOf(day: string, isEnd: boolean): number | null {
  const at = new Date(`${day}T${isEnd ? '23:59:59' : '00:00:00'}`).getTime()
  return Number.isNaN(at) ? null : at
}

export function draftsOf(task: TaskView | null): PaperDraft[] {
  return (task?.qualificationInfos ?? []).map(info => ({
    qualificationCode: info.qualificationCode,
    files: info.files,
    isForEver: info.validityType === 1,
    from: dayOf(info.startTime),
    to: dayOf(info.expireTime),
  }))
}

export function newDraft(def: DefView): PaperDraft {
  return { qualificationCode: def.qualificationCode, files: [], isForEver: !def.needsValidity, from: '', to: '' }
}

export function toGiven(draft: PaperDraft): Given {
  const { qualificationCode, files, isForEver, from, to } = draft
  return {
    qualificationCode,
    files: files.map(({ objectId }) => ({ objectId })),
    validityType: isForEver ? 1 : 0,
    startTime: isForEver ? null : instantOf(from, false),
    expireTime: isForEver ? null : instantOf(to, true),
  }
}

export function isWhole(draft: PaperDraft): boolean {
  const { startTime, expireTime } = toGiven(draft)
  return draft.files.length > 0 && (draft.isForEver || (startTime !== null && expireTime !== null))
}

/** Sends a scan; it belongs to nothing until the papers are saved. */
export async function sendScan(file: File): Promise<PaperDraft['files'][number] | null> {
  const { urlsInfo } = await fileCalls.uploadObject({
    query: { fileName: file.name, bizTag: 'app_qual', size: file.size },
    body: file,
  })
  const [stored] = urlsInfo
  return stored ? { objectId: stored.objectId, fileName: file.name, fileSize: stored.size } : null
}
