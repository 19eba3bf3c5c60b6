import { useState } from 'react'
import type { ImageRule } from '../../listing/rules.ts'
import { filesApi } from '../version-calls.ts'
import { refusalText } from '../version-words.ts'
import { misfitOf } from './image-words.ts'
import type { ImageView } from './listing-form.ts'

export interface Sending {
  id: number
  name: string
  /** Set when it was refused, here or by the server. */
  error?: string
}

let count = 0

/** Checks pictures against their rule, sends those that fit, and keeps a line for each that did not. */
export function useImageUpload(rule: ImageRule, onImage: (image: ImageView) => void) {
  const [sending, setSending] = useState<readonly Sending[]>([])
  const drop = (id: number) => setSending(all => all.filter(one => one.id !== id))
  const fail = (id: number, error: string) =>
    setSending(all => all.map(one => (one.id === id ? { ...one, error } : one)))

  const sendOne = async (file: File) => {
    count += 1
    const id = count
    setSending(all => [...all, { id, name: file.name }])
    const misfit = await misfitOf(file, rule)
    if (misfit) return fail(id, misfit)
    try {
      const { urlsInfo } = await filesApi.uploadObject({
        query: { fileName: file.name, bizTag: 'app_img', size: file.size },
        body: file,
      })
      const [stored] = urlsInfo
      if (stored) {
        const { objectId, mime, size, width, height } = stored
        onImage({ objectId, mime, sizeBytes: size, width: width ?? 0, height: height ?? 0 })
      }
      drop(id)
    } catch (error) {
      fail(id, refusalText(error))
    }
  }
  const send = async (files: readonly File[]) => {
    for (const file of files) await sendOne(file)
  }
  return { sending, send, drop, isSending: sending.some(one => one.error === undefined) }
}
