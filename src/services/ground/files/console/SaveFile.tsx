import Button, { type ButtonProps } from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { notify } from '../../../../console/notify.ts'
import type { FileView } from './file-calls.ts'
import { saveFile } from './save-file.ts'

interface SaveFileProps {
  file: FileView
  variant: Extract<ButtonProps.Variant, 'inline-icon' | 'normal'>
}

export function SaveFile({ file, variant }: SaveFileProps) {
  const { t } = useTranslation('ground/files')
  const [isAsking, setAsking] = useState(false)
  const save = () => {
    setAsking(true)
    saveFile(file)
      .catch(error => notify({ tone: 'error', text: errorText(error) }))
      .finally(() => setAsking(false))
  }
  return (
    <Button
      data-action="saveFile"
      variant={variant}
      iconName="download"
      loading={isAsking}
      {...(variant === 'inline-icon' && { ariaLabel: t('save.of', { name: file.fileName }) })}
      onClick={save}
    >
      {variant === 'normal' && t('save.button')}
    </Button>
  )
}
