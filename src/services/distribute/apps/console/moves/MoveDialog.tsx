import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { zoneOfSite } from '../../../../../kernel/zones.ts'
import { BlockList } from './BlockList.tsx'
import { type MoveView, moveCalls } from './move-calls.ts'
import { moveTones } from './move-words.ts'
import { ProjectChoice } from './ProjectChoice.tsx'

/** A move with what either side can do about it. */
export function MoveDialog({ move, onClose }: { move: MoveView; onClose: () => void }) {
  const { t } = useTranslation('distribute/apps')
  const [toProjectId, setProject] = useState('')
  const { moveId, revision, allowedActions, side } = move
  const options = { errors: 'form' as const, onDone: onClose }
  const accept = useAction(moveCalls.acceptMove, options)
  const refuse = useAction(moveCalls.refuseMove, options)
  const cancel = useAction(moveCalls.cancelMove, options)
  const error = accept.error ?? refuse.error ?? cancel.error
  const body = { moveId, revision }
  return (
    <Modal
      visible
      size="large"
      header={move.apps.map(app => app.name).join(', ')}
      onDismiss={onClose}
      footer={
        allowedActions.length > 0 && (
          <Box float="right">
            <SpaceBetween direction="horizontal" size="xs">
              {allowedActions.includes('cancel') && (
                <Button data-action="cancel" loading={cancel.isRunning} onClick={() => void cancel.run({ body })}>
                  {t('moves.actions.cancel')}
                </Button>
              )}
              {allowedActions.includes('refuse') && (
                <Button data-action="refuse" loading={refuse.isRunning} onClick={() => void refuse.run({ body })}>
                  {t('moves.actions.refuse')}
                </Button>
              )}
              {allowedActions.includes('accept') && (
                <Button
                  variant="primary"
                  data-action="accept"
                  disabled={toProjectId === ''}
                  loading={accept.isRunning}
                  onClick={() => void accept.run({ body: { ...body, toProjectId } }, { zone: zoneOfSite(move.siteId) })}
                >
                  {t('moves.actions.accept')}
                </Button>
              )}
            </SpaceBetween>
          </Box>
        )
      }
    >
      <SpaceBetween size="l">
        <KeyValuePairs
          columns={3}
          minColumnWidth={160}
          items={[
            { label: t('moves.from'), value: <span translate="no">{move.from.name}</span> },
            { label: t('moves.to'), value: <span translate="no">{move.to.name}</span> },
            {
              label: t('moves.state'),
              value: <StatusBadge tone={moveTones[move.state]} text={t(`moves.states.${move.state}`)} />,
            },
            {
              label: t('moves.apps'),
              value: move.apps.map(app => (
                <div key={app.appId} translate="no">
                  {app.name} <span className="lg-soft">{app.packageName ?? app.appId}</span>
                </div>
              )),
            },
            { label: t('moves.testersShort'), value: t(move.include.testers ? 'moves.go' : 'moves.stay') },
            {
              label: t(move.finishedAt === null ? 'moves.until' : 'moves.finished'),
              value: <When at={move.finishedAt ?? move.expiresAt} />,
            },
          ]}
        />
        {move.note !== '' && <Alert header={t('moves.note')}>{move.note}</Alert>}
        {move.blocks.length > 0 && (
          <Alert type="error" header={t('moves.blocked')}>
            <BlockList list={move.blocks} />
          </Alert>
        )}
        {allowedActions.includes('accept') && (
          <>
            <Alert type="info">{t('moves.takeText')}</Alert>
            <ProjectChoice value={toProjectId} siteId={move.siteId} onChange={setProject} />
          </>
        )}
        {side === 'FROM' && move.state === 'WAIT_ACCEPT' && <span>{t('moves.waits')}</span>}
        {error && <Alert type="error">{errorText(error)}</Alert>}
      </SpaceBetween>
    </Modal>
  )
}
