import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'

interface FileTreeProps {
  files: readonly { path: string }[]
  open: string
  isEditable: boolean
  onOpen: (path: string) => void
  onAdd: (path: string) => void
  onRemove: (path: string) => void
}

const isPath = (path: string) =>
  /^[A-Za-z0-9_.@-][A-Za-z0-9_.@/-]{0,199}$/.test(path) && !/(^|\/)\.{0,2}(\/|$)/.test(path)

/** The files of a package, by their paths. */
export function FileTree({ files, open, isEditable, onOpen, onAdd, onRemove }: FileTreeProps) {
  const { t } = useTranslation('build/functions')
  const [added, setAdded] = useState<string | null>(null)
  const isTaken = files.some(one => one.path === added)
  const sorted = [...files].sort((a, b) => a.path.localeCompare(b.path))
  const add = () => {
    onAdd(added ?? '')
    setAdded(null)
  }
  return (
    <nav className="fn-files" aria-label={t('files')}>
      <ul translate="no">
        {sorted.map(({ path }) => (
          <li key={path} data-open={path === open}>
            <button type="button" aria-current={path === open} onClick={() => onOpen(path)}>
              {path}
            </button>
            {isEditable && files.length > 1 && (
              <Button
                variant="icon"
                iconName="close"
                ariaLabel={t('removeFile', { path })}
                onClick={() => onRemove(path)}
              />
            )}
          </li>
        ))}
      </ul>
      {isEditable && (
        <Button iconName="add-plus" onClick={() => setAdded('')}>
          {t('addFile')}
        </Button>
      )}
      {added !== null && (
        <DialogBox
          title={t('addFile')}
          verb={t('add')}
          isRunning={false}
          canSubmit={isPath(added) && !isTaken}
          refusal={isTaken ? t('fileTaken') : null}
          onSubmit={add}
          onClose={() => setAdded(null)}
        >
          <FormField label={t('path')} constraintText="lib/pictures.js">
            <Input value={added} spellcheck={false} onChange={({ detail }) => setAdded(detail.value)} />
          </FormField>
        </DialogBox>
      )}
    </nav>
  )
}
