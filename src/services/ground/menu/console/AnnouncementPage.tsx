import './menu.css'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../console/address.ts'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { OutsideLink } from '../../../../console/kit/OutsideLink.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { usePageTitle } from '../../../../console/page-title.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { announcementTones } from './announcement-tones.ts'
import { news } from './menu-calls.ts'
import { useLanguage } from './shown-language.ts'

export default function AnnouncementPage() {
  const { t } = useTranslation('ground/menu')
  const language = useLanguage()
  const params = { announcementId: usePageParam('announcementId') }
  const found = useCall(news.getAnnouncement, { params })
  const dismiss = useAction(news.dismissAnnouncement)
  usePageTitle(found.data?.title[language])

  if (found.error) {
    return (
      <SpaceBetween size="l">
        <PageHeader title={t('announcements.title')} />
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      </SpaceBetween>
    )
  }
  if (!found.data) return <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>
  const { title, text, kind, state, startAt, endAt, href, isBanner, isDismissed } = found.data
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={title[language]}
        status={<StatusBadge tone={announcementTones[kind]} text={t(`kinds.${kind}`)} />}
        description={
          <>
            {t(`states.${state}`)} · <When at={startAt} />
            {endAt !== null && (
              <>
                {' – '}
                <When at={endAt} />
              </>
            )}
          </>
        }
        actions={
          isBanner &&
          state === 'live' &&
          !isDismissed && (
            <Button data-action="dismiss" loading={dismiss.isRunning} onClick={() => void dismiss.run({ params })}>
              {t('announcements.dismiss')}
            </Button>
          )
        }
      />
      <Container>
        <SpaceBetween size="m">
          <div className="menu-paragraphs">{text[language]}</div>
          {href !== null &&
            (href.startsWith('#') ? (
              <Link href={href}>{t('panels.learnMore')}</Link>
            ) : (
              <OutsideLink href={href}>{t('panels.learnMore')}</OutsideLink>
            ))}
        </SpaceBetween>
      </Container>
    </SpaceBetween>
  )
}
