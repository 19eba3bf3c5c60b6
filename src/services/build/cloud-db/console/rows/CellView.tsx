import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'

interface CellViewProps {
  value: unknown
  /** The answer has only its beginning. */
  isCut: boolean
  onLoad: () => void
}

/** A value of a row as it is stored. */
export function CellView({ value, isCut, onLoad }: CellViewProps) {
  const { t } = useTranslation('build/cloud-db')
  if (value === null || value === undefined) return <i>null</i>
  return (
    <span translate="no">
      {String(value)}
      {isCut && (
        <Button variant="inline-link" onClick={onLoad}>
          {t('data.whole')}
        </Button>
      )}
    </span>
  )
}
