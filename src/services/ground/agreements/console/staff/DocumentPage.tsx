import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../../console/address.ts'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { usePageTitle } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { documentsApi } from '../agreement-calls.ts'
import { useWords } from '../words.ts'
import { Compare } from './Compare.tsx'
import { ConfirmAct } from './ConfirmAct.tsx'
import { Settings } from './Settings.tsx'
import { documentTones, shownState } from './states.ts'
import { Texts } from './Texts.tsx'

type Act = 'publish' | 'recall' | 'delete'

/** One version: its texts, when it binds whom, and how it differs from another. */
export default function DocumentPage() {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  const documentId = usePageParam('documentId')
  const [act, setAct] = useState<Act | null>(null)
  const found = useCall(documentsApi.getDocument, { params: { documentId } }, { enabled: act !== 'delete' })
  const document = found.data
  usePageTitle(document && `${document.name[words.language]} ${document.version}`)

  if (found.error) {
    return (
      <SpaceBetween size="l">
        <PageHeader title={t('document.one')} />
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      </SpaceBetween>
    )
  }
  if (!document) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  const state = shownState(document)
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={`${document.name[words.language]} · ${t('text.version', { version: document.version })}`}
        status={<StatusBadge tone={documentTones[state]} text={t(`documentStates.${state}`)} />}
        description={
          <>
            {words.country(document.country)}
            {document.state !== 'draft' && (
              <>
                {' · '}
                {t('effective.since')} <When at={document.effectiveAt} />
                {' · '}
                {t('document.graceOf', { count: document.graceDays })}
                {' · '}
                {document.requireResign ? t('document.resign') : t('document.noResign')}
                {' · '}
                {t('document.signed', { count: document.signatures })}
              </>
            )}
          </>
        }
        actions={document.allowedActions
          .toSorted((a, b) => Number(a === 'publish') - Number(b === 'publish'))
          .map(action => (
            <Button
              key={action}
              variant={action === 'publish' ? 'primary' : 'normal'}
              data-action={action}
              onClick={() => setAct(action)}
            >
              {t(`document.do.${action}`)}
            </Button>
          ))}
      />
      {document.state === 'draft' && (
        <Container header={<Header variant="h2">{t('document.settings')}</Header>}>
          <Settings document={document} />
        </Container>
      )}
      <Container header={<Header variant="h2">{t('document.texts')}</Header>}>
        <Texts document={document} />
      </Container>
      <Compare document={document} />
      {act && <ConfirmAct document={document} action={act} onClose={() => setAct(null)} />}
    </SpaceBetween>
  )
}
