import Alert from '@cloudscape-design/components/alert'
import Container from '@cloudscape-design/components/container'
import { useTranslation } from 'react-i18next'
import type { ZoneId } from '../../../../../kernel/zones.ts'
import { hasPackageName } from '../../rules.ts'
import { PackageNameField } from '../PackageNameField.tsx'
import type { NewAppForm } from './new-app.ts'

interface PackageNameStepProps {
  of: NewAppForm
  zone: ZoneId
  onChecked: (isFree: boolean) => void
}

export function PackageNameStep({ of, zone, onChecked }: PackageNameStepProps) {
  const { t } = useTranslation('distribute/apps')
  const packageType = of.form.watch('packageType')
  if (!hasPackageName(packageType)) {
    return <Alert type="info">{t('new.noPackageName', { type: t(`types.${packageType}`) })}</Alert>
  }
  return (
    <Container>
      <PackageNameField of={of} name="packageName" packageType={packageType} zone={zone} onChecked={onChecked} />
    </Container>
  )
}
