import { useTranslation } from 'react-i18next'
import { ExampleBox } from '../../../../console/kit/ExampleBox.tsx'

/** What an app needs to report its first event, with this console's own address. */
export function ReportExample() {
  const { t } = useTranslation('analyse/app-events')
  const text = `import { AppEvents } from '@loggia/client/events'

const events = new AppEvents({ url: '${location.origin}', apiKey: 'lgk_...', unit: 'user-1' })
events.track('purchase', { value: 4.5, props: { screen: 'cart' } })`
  const words = {
    copy: t('example.copy'),
    copyLabel: t('example.copyLabel'),
    copied: t('example.copied'),
    notCopied: t('example.notCopied'),
  }
  return <ExampleBox title={t('example.title')} description={t('example.text')} words={words} text={text} />
}
