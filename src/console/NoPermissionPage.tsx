import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import { hrefOf } from './address.ts'
import { EmptyState } from './kit/EmptyState.tsx'

export default function NoPermissionPage({ needs }: { needs: string | undefined }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      level="h1"
      title={t('noPermission.title')}
      text={needs ? t('noPermission.needs', { permission: needs }) : t('noPermission.text')}
      action={<Button href={hrefOf('/')}>{t('notFound.home')}</Button>}
    />
  )
}
