import Alert from '@cloudscape-design/components/alert'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState, useSyncExternalStore } from 'react'
import { errorText } from '../error-text.ts'
import { FileDrop } from '../kit/FileDrop.tsx'
import { BrokenUploads } from './BrokenUploads.tsx'
import type { Uploads } from './uploads.ts'

interface UploadDropProps<Wish, Made> {
  uploads: Uploads<Wish, Made>
  wish: Wish
  /** Which of all uploads of the kind belong here. */
  isHere: (one: Wish) => boolean
  /** Why a file cannot be taken, in words; nothing where it can. */
  check: (file: File) => string | undefined
  label: string
  hint: string
  accept?: string
  /** Only one file is wanted. */
  isSingle?: boolean
}

/** Where files come in: those that broke off, those that were refused, the drop field, and what is on its way. */
export function UploadDrop<Wish, Made>(props: UploadDropProps<Wish, Made>) {
  const { uploads, wish, isHere, check, label, hint, accept, isSingle = false } = props
  const [refused, setRefused] = useState<readonly string[]>([])
  const all = useSyncExternalStore(uploads.store.subscribe, uploads.store.get)
  const refuse = (text: string) => setRefused(before => [...before, text])
  const take = (files: File[]) => {
    setRefused([])
    for (const file of files) {
      const text = check(file)
      if (text) refuse(text)
      else uploads.start(file, wish).catch(error => refuse(errorText(error)))
    }
  }
  return (
    <SpaceBetween size="l">
      <BrokenUploads uploads={uploads} isHere={isHere} />
      {refused.length > 0 && (
        <Alert type="error" dismissible onDismiss={() => setRefused([])}>
          {refused.map(text => (
            <div key={text}>{text}</div>
          ))}
        </Alert>
      )}
      <FileDrop
        label={label}
        hint={hint}
        {...(accept && { accept })}
        isMultiple={!isSingle}
        onFiles={take}
        transfers={all
          .filter(one => isHere(one) && one.state !== 'done')
          .map(one => ({
            id: one.nspUploadId,
            name: one.fileName,
            sizeBytes: one.sizeBytes,
            sentBytes: one.sentBytes,
            state: one.state,
            error: one.error,
            onPause: () => uploads.pause(one.nspUploadId),
            onResume: () => void uploads.resume(one.nspUploadId),
            onRemove: () => void uploads.remove(one),
          }))}
      />
    </SpaceBetween>
  )
}
