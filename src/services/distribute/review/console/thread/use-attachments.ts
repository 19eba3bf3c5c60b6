import { useState } from 'react'
import type { FileTransfer } from '../../../../../console/kit/FileProgress.tsx'
import { filesApi } from '../review-calls.ts'
import { refusalText } from '../review-words.ts'

interface Sent extends FileTransfer {
  objectId?: string
}

let count = 0

/** Files on their way into a message, each sent as soon as it is chosen. */
export function useAttachments(limit: number) {
  const [all, setAll] = useState<readonly Sent[]>([])
  const change = (id: string, next: Partial<Sent>) =>
    setAll(before => before.map(one => (one.id === id ? { ...one, ...next } : one)))
  const remove = (id: string) => setAll(before => before.filter(one => one.id !== id))

  const sendOne = async (file: File) => {
    count += 1
    const id = `attachment-${count}`
    const begun: Sent = { id, name: file.name, sizeBytes: file.size, sentBytes: 0, state: 'sending' }
    setAll(before => [...before, { ...begun, onRemove: () => remove(id) }])
    try {
      const { urlsInfo } = await filesApi.uploadObject({
        query: { fileName: file.name, bizTag: 'app_qual', size: file.size },
        body: file,
      })
      change(id, { state: 'done', sentBytes: file.size, ...(urlsInfo[0] && { objectId: urlsInfo[0].objectId }) })
    } catch (error) {
      change(id, { state: 'failed', error: refusalText(error) })
    }
  }
  return {
    transfers: all,
    objectIds: all.flatMap(one => (one.objectId ? [one.objectId] : [])),
    isFull: all.length >= limit,
    send: async (files: readonly File[]) => {
      for (const file of files.slice(0, limit - all.length)) await sendOne(file)
    },
    clear: () => setAll([]),
  }
}
