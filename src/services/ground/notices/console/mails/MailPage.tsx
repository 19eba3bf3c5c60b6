import '../notices.css'
import Container from '@cloudscape-design/components/container'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tabs from '@cloudscape-design/components/tabs'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../../console/address.ts'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { usePageTitle } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { api } from '../notice-calls.ts'

/** One kept mail. Its html stands in a frame without scripts, forms or requests, whatever it holds. */
export default function MailPage() {
  const { t } = useTranslation('ground/notices')
  const params = { mailId: usePageParam('mailId') }
  const result = useCall(api.getMail, { params })
  usePageTitle(result.data?.subject)
  if (result.error) return <ErrorState error={result.error} onRetry={() => void result.refetch()} />
  if (!result.data) return <PendingPage />
  const { subject, to, sentAt, text, hasHtml, headers } = result.data
  const html = {
    id: 'html',
    label: t('mails.html'),
    content: <iframe className="notices-frame" sandbox="" title={subject} src={api.getMailHtml.href({ params })} />,
  }
  return (
    <SpaceBetween size="l">
      <PageHeader title={subject} />
      <Container>
        <KeyValuePairs
          columns={2}
          items={[
            { label: t('mails.to'), value: to },
            { label: t('mails.at'), value: <When at={sentAt} show="both" /> },
          ]}
        />
      </Container>
      <Container>
        <Tabs
          ariaLabel={t('mails.parts')}
          tabs={[
            ...(hasHtml ? [html] : []),
            { id: 'text', label: t('mails.plain'), content: <pre className="notices-plain">{text}</pre> },
            {
              id: 'headers',
              label: t('mails.headers'),
              content: (
                <pre className="notices-plain">{headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}</pre>
              ),
            },
          ]}
        />
      </Container>
    </SpaceBetween>
  )
}
