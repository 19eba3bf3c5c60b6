import './kit.css'
import { type DragEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileProgress, type FileTransfer } from './FileProgress.tsx'

interface FileDropProps {
  label: string
  /** Kinds and limits in words: "APK or HAP, up to 4 GB". */
  hint?: string
  /** As `accept` of an input: `.apk,.hap`. */
  accept?: string
  isMultiple?: boolean
  isDisabled?: boolean
  onFiles: (files: File[]) => void
  transfers?: readonly FileTransfer[]
}

/** Files by drag, click or keyboard; each transfer below with its bar and its pause, resume and remove buttons. */
export function FileDrop({ label, hint, accept, isMultiple, isDisabled, onFiles, transfers = [] }: FileDropProps) {
  const { t } = useTranslation()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const give = (files: FileList | null) => {
    if (files && files.length > 0 && !isDisabled) onFiles([...files].slice(0, isMultiple ? files.length : 1))
    if (input.current) input.current.value = ''
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    give(event.dataTransfer.files)
  }
  const drag = (event: DragEvent, isInside: boolean) => {
    event.preventDefault()
    setOver(isInside)
  }
  return (
    <div>
      <fieldset
        aria-label={label}
        className={`lg-drop${isOver ? ' lg-drop-over' : ''}`}
        onDragOver={event => drag(event, true)}
        onDragLeave={event => drag(event, false)}
        onDrop={drop}
      >
        <input
          ref={input}
          id={id}
          type="file"
          className="lg-unseen"
          accept={accept}
          multiple={isMultiple}
          disabled={isDisabled}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onChange={event => give(event.target.files)}
        />
        <label htmlFor={id}>
          <strong>{label}</strong>
          <span>{t('drop.invite')}</span>
        </label>
        {hint && (
          <span id={`${id}-hint`} className="lg-soft">
            {hint}
          </span>
        )}
      </fieldset>
      {transfers.length > 0 && (
        <ul className="lg-transfers">
          {transfers.map(transfer => (
            <FileProgress key={transfer.id} transfer={transfer} />
          ))}
        </ul>
      )}
    </div>
  )
}
