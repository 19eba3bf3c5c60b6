import ProgressBar from '@cloudscape-design/components/progress-bar'
import { useTranslation } from 'react-i18next'
import { FileDrop } from '../../../../console/kit/FileDrop.tsx'
import { limits } from '../rules.ts'

interface PackageFieldProps {
  file: File | null
  hint: string
  /** How much of it was sent; null while it is not being sent. */
  sentBytes: number | null
  onFile: (file: File) => void
}

export const isTooLarge = (file: File | null) => file !== null && file.size > limits.zipBytes

/** A zip archive from the reader's machine, and how far it was sent. */
export function PackageField({ file, hint, sentBytes, onFile }: PackageFieldProps) {
  const { t } = useTranslation('build/functions')
  return (
    <>
      <FileDrop
        label={file?.name ?? t('package.file')}
        hint={hint}
        accept=".zip"
        onFiles={([taken]) => taken && onFile(taken)}
      />
      {sentBytes !== null && file && (
        <ProgressBar value={(sentBytes * 100) / Math.max(1, file.size)} label={t('package.sending')} />
      )}
    </>
  )
}
