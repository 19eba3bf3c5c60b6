import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import Header from '@cloudscape-design/components/header'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { renderSVG } from 'uqr'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { invitationsApi, type LinkView } from '../beta-calls.ts'
import { NewLink } from './NewLink.tsx'

/** The link by which people join a group: one at a time, for a number of people and a time. */
export function LinkPanel({ groupId }: { groupId: string }) {
  const { t } = useTranslation('distribute/beta-test')
  const [isMaking, setMaking] = useState(false)
  const found = useCall(invitationsApi.listLinks, { params: { groupId }, query: { pageSize: 5 } })
  const live = found.data?.list.find(link => link.state === 'LIVE')
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t('links.text')}
          actions={
            found.data &&
            !live && (
              <Button data-action="createLink" onClick={() => setMaking(true)}>
                {t('links.make')}
              </Button>
            )
          }
        >
          {t('links.title')}
        </Header>
      }
    >
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <StatusBadge tone="running" text={t('state.loading')} />}
      {live && <LiveLink link={live} />}
      {found.data && !live && (
        <p className="beta-soft">
          {found.data.total === 0 ? t('links.none') : t('links.before', { count: found.data.total })}
        </p>
      )}
      {isMaking && <NewLink groupId={groupId} onClose={() => setMaking(false)} />}
    </Container>
  )
}

function LiveLink({ link }: { link: LinkView }) {
  const { t } = useTranslation('distribute/beta-test')
  const [isEnding, setEnding] = useState(false)
  const { groupId, linkId, page, used, limit, expiresAt } = link
  const revoke = useAction(invitationsApi.revokeLink, {
    onDone: () => {
      notify({ tone: 'success', text: t('links.ended') })
      setEnding(false)
    },
  })
  const address = page ?? ''
  return (
    <div className="beta-share">
      <img
        className="beta-qr"
        alt={t('links.qr')}
        src={`data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(address, { border: 2 }))}`}
      />
      <div>
        <SpaceBetween size="s">
          <code className="beta-link">{address}</code>
          <ProgressBar
            label={t('links.places')}
            value={(used * 100) / limit}
            additionalInfo={t('links.used', { used, count: limit })}
          />
          <span className="beta-soft">
            {t('links.until')} <When at={expiresAt} show="both" />
          </span>
          <SpaceBetween direction="horizontal" size="xs">
            <CopyToClipboard
              copyButtonText={t('links.copy')}
              copySuccessText={t('links.copied')}
              copyErrorText={t('state.failed')}
              textToCopy={address}
            />
            {link.allowedActions.includes('revoke') && (
              <Button data-action="revokeLink" onClick={() => setEnding(true)}>
                {t('links.end')}
              </Button>
            )}
          </SpaceBetween>
        </SpaceBetween>
      </div>
      {isEnding && (
        <DialogBox
          title={t('links.endTitle')}
          verb={t('links.end')}
          isRunning={revoke.isRunning}
          onSubmit={() => void revoke.run({ params: { groupId }, query: { linkId } })}
          onClose={() => setEnding(false)}
        >
          <p className="beta-said">{t('links.endText')}</p>
        </DialogBox>
      )}
    </div>
  )
}
