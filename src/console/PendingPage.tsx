import { useTranslation } from 'react-i18next'

/** Stands while a page's code is on its way; light enough for the first bundle. */
export function PendingPage() {
  const { t } = useTranslation()
  return (
    <div className="lg-pending" role="status">
      <span className="lg-pending-bar" />
      <span className="lg-unseen">{t('state.loading')}</span>
    </div>
  )
}
