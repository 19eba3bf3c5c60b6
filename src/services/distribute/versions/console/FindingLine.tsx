import './version.css'
import Icon from '@cloudscape-design/components/icon'
import { useTranslation } from 'react-i18next'

interface FindingLineProps {
  severity: 'BLOCK' | 'WARN'
  text: string
}

/** A sentence with its weight as icon and as word; long ones wrap between words. */
export function FindingLine({ severity, text }: FindingLineProps) {
  const { t } = useTranslation('distribute/versions')
  const isBlock = severity === 'BLOCK'
  return (
    <span className="version-finding">
      <Icon
        name={isBlock ? 'status-negative' : 'status-warning'}
        variant={isBlock ? 'error' : 'warning'}
        ariaLabel={t(`severity.${severity}`)}
      />
      <span>{text}</span>
    </span>
  )
}
