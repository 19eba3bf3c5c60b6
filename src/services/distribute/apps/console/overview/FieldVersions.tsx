import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { BarList } from '../../../../../console/kit/BarList.tsx'
import { may } from '../../../../../console/session.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { AppView } from '../app-calls.ts'
import { fieldCalls } from './overview-calls.ts'

/** Which versions devices have now, as far as they reported. */
export function FieldVersions({ app }: { app: AppView }) {
  const { t, i18n } = useTranslation('distribute/apps')
  const { appId, everOnShelf } = app
  const isShown = everOnShelf && may('store.read')
  const found = useCall(fieldCalls.listFieldVersions, { query: { appId, days: 1 } }, { enabled: isShown })
  if (!isShown || !found.data) return null
  const { list, other, active } = found.data
  const bars = [
    ...list.map(one => ({ id: one.versionId, label: `${one.versionName} (${one.versionCode})`, value: one.active })),
    ...(other > 0 ? [{ id: 'other', label: t('field.other'), value: other }] : []),
  ]
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t('field.text')}
          actions={<Link href={hrefOf('/apps/$appId/field', { appId })}>{t('field.more')}</Link>}
        >
          {t('field.title')}
        </Header>
      }
    >
      {active === 0 ? (
        <span className="lg-soft">{t('field.none')}</span>
      ) : (
        <BarList label={t('field.title')} bars={bars} language={i18n.language} />
      )}
    </Container>
  )
}
