import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type GroupRelease, groupsApi } from '../function-calls.ts'

/** What was released together and when; each of them can be brought back. */
export function GroupHistory({ serviceId, onClose }: { serviceId: string; onClose: () => void }) {
  const { t } = useTranslation('build/functions')
  const [chosen, setChosen] = useState<GroupRelease | null>(null)
  const found = useCall(groupsApi.getService, { query: { serviceId } }, { staleTime: 0 })
  const bringBack = useAction(groupsApi.releaseService, { errors: 'form', onDone: () => setChosen(null) })
  if (chosen && found.data) {
    const { revision } = found.data.service
    const body = { serviceId, revision, releaseNumber: chosen.number }
    return (
      <DialogBox
        title={t('groups.rollBackTitle', { number: chosen.number })}
        verb={t('groups.rollBack')}
        action="bring-back"
        isRunning={bringBack.isRunning}
        refusal={bringBack.error && errorText(bringBack.error)}
        onSubmit={() => void bringBack.run({ body })}
        onClose={() => setChosen(null)}
      >
        <Alert type="info">{t('groups.rollBackText')}</Alert>
        <Versions release={chosen} />
      </DialogBox>
    )
  }
  const releases = found.data?.releases ?? []
  return (
    <Modal visible header={t('groups.history')} onDismiss={onClose}>
      {found.error && <ErrorState error={found.error} />}
      {found.data && releases.length === 0 && <Box color="text-body-secondary">{t('groups.noReleases')}</Box>}
      <SpaceBetween size="m">
        {releases.map(release => (
          <section key={release.number} aria-label={t('groups.number', { number: release.number })}>
            <SpaceBetween direction="horizontal" size="s" alignItems="center">
              <strong>{t('groups.number', { number: release.number })}</strong>
              {release.number === found.data?.service.releaseNumber ? (
                <StatusBadge tone="good" text={t('groups.isCurrent')} />
              ) : (
                <Can call={groupsApi.releaseService}>
                  <Button variant="inline-link" onClick={() => setChosen(release)}>
                    {t('groups.rollBack')}
                  </Button>
                </Can>
              )}
            </SpaceBetween>
            <div className="lg-quiet">
              <When at={release.releasedAt} />
              {release.ofNumber !== null && ` · ${t('groups.ofNumber', { number: release.ofNumber })}`}
            </div>
            {release.description !== '' && <div translate="no">{release.description}</div>}
            <Versions release={release} />
          </section>
        ))}
        {releases.length === 20 && <Box color="text-body-secondary">{t('groups.oldest')}</Box>}
      </SpaceBetween>
    </Modal>
  )
}

function Versions({ release }: { release: GroupRelease }) {
  return <div translate="no">{release.versions.map(one => `${one.functionName} ${one.version}`).join(', ')}</div>
}
