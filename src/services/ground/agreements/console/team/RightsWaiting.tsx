import '../agreements.css'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { developerApi } from '../agreement-calls.ts'
import { useWords } from '../words.ts'

/** Which rights need a signature of the team, and which have it. Nothing where none does. */
export function RightsWaiting() {
  const { t } = useTranslation('ground/agreements')
  const { language } = useWords()
  const found = useCall(developerApi.listPermissions, { body: {} })
  const list = found.data?.list ?? []
  if (list.length === 0) return null
  return (
    <Container
      header={
        <Header variant="h2" description={t('rights.text')}>
          {t('rights.title')}
        </Header>
      }
    >
      {list.map(one => (
        <div className="agr-line" key={one.permission}>
          <div>
            <code translate="no">{one.permission}</code>
            <br />
            <span className="lg-soft">{one.agreements.map(agreement => agreement.name[language]).join(', ')}</span>
          </div>
          <StatusBadge
            tone={one.isWaiting ? 'caution' : 'good'}
            text={one.isWaiting ? t('rights.waiting') : t('rights.open')}
          />
        </div>
      ))}
    </Container>
  )
}
