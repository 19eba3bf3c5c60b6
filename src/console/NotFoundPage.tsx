import { hrefOf } from './address.ts'
import './shell/cloudscape.css.ts'
import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import { EmptyState } from './kit/EmptyState.tsx'

export default function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <main id="page" tabIndex={-1} className="lg-plain-page">
      <EmptyState
        level="h1"
        title={t('notFound.title')}
        text={t('notFound.text')}
        action={<Button href={hrefOf('/')}>{t('notFound.home')}</Button>}
      />
    </main>
  )
}
