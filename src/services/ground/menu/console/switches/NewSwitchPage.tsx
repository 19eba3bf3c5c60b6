import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { SwitchEditor } from './SwitchEditor.tsx'

export default function NewSwitchPage() {
  const { t } = useTranslation('ground/menu')
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('switches.new')} description={t('switches.newText')} />
      <SwitchEditor row={null} />
    </SpaceBetween>
  )
}
