import Button from '@cloudscape-design/components/button'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'

const OpenTableSettings = lazy(() => import('./OpenTableSettings.tsx'))

/** A button, until somebody wants the settings: they are heavy, and few do. */
export function TableSettings(props: ComponentProps<typeof OpenTableSettings>) {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const button = (
    <Button
      variant="icon"
      iconName="settings"
      ariaLabel={t('table.settings')}
      loading={isAsked}
      onClick={() => setAsked(true)}
    />
  )
  if (!isAsked) return button
  return (
    <Suspense fallback={button}>
      <OpenTableSettings {...props} />
    </Suspense>
  )
}
