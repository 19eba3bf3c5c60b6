import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Modal from '@cloudscape-design/components/modal'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { ZoneName } from '../../../../../console/kit/ZoneName.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { zoneOfSite } from '../../../../../kernel/zones.ts'
import { saidDevelopStatuses } from '../../rules.ts'
import type { AppView } from '../app-calls.ts'
import { MoveAppDialog } from '../moves/MoveAppDialog.tsx'
import { placeCalls } from './overview-calls.ts'

/** Where the data stays and how far the app is. */
export function PlacePanel({ app }: { app: AppView }) {
  const { t } = useTranslation('distribute/apps')
  const { appId, siteId, revision } = app
  const [isAsking, setAsking] = useState(false)
  const [isMoving, setMoving] = useState(false)
  const location = useCall(placeCalls.getAppLocation, { query: { appId } })
  const settle = useAction(placeCalls.updateAppLocation, { onDone: () => setAsking(false) })
  const say = useAction(placeCalls.updateDevelopStatus)
  const canEdit = app.allowedActions.includes('edit')
  const statuses = saidDevelopStatuses.map(value => ({ value: String(value), label: t(`place.statuses.${value}`) }))
  const lockedAt = location.data?.lockedAt ?? null
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <div className="lg-actions">
              <Can may="qualification.read">
                <Button href={hrefOf('/apps/$appId/qualifications', { appId })}>{t('app.qualifications')}</Button>
              </Can>
              <Can may="recordal.read">
                <Button href={hrefOf('/apps/$appId/recordal', { appId })}>{t('app.recordal')}</Button>
              </Can>
              {canEdit && (
                <Button data-action="move" onClick={() => setMoving(true)}>
                  {t('moves.open')}
                </Button>
              )}
            </div>
          }
        >
          {t('place.title')}
        </Header>
      }
    >
      <KeyValuePairs
        columns={2}
        minColumnWidth={220}
        items={[
          {
            label: t('place.location'),
            value: (
              <>
                <ZoneName zone={zoneOfSite(siteId)} />{' '}
                {lockedAt !== null && (
                  <span className="lg-soft">
                    {t('place.settled')} <When at={lockedAt} />
                  </span>
                )}
                {lockedAt === null && canEdit && (
                  <Button variant="inline-link" onClick={() => setAsking(true)}>
                    {t('place.settle')}
                  </Button>
                )}
              </>
            ),
          },
          {
            label: t('place.status'),
            value:
              canEdit && !app.shelf ? (
                <Select
                  ariaLabel={t('place.status')}
                  selectedOption={statuses.find(one => one.value === app.developStatus) ?? null}
                  options={statuses}
                  disabled={say.isRunning}
                  onChange={({ detail }) =>
                    void say.run({
                      body: {
                        appId,
                        developStatus: detail.selectedOption.value as (typeof saidDevelopStatuses)[number],
                        revision,
                      },
                    })
                  }
                />
              ) : (
                t(`place.statuses.${app.developStatus}`)
              ),
          },
        ]}
      />
      {isMoving && <MoveAppDialog app={app} onClose={() => setMoving(false)} />}
      {isAsking && (
        <Modal
          visible
          header={t('place.askSettle')}
          onDismiss={() => setAsking(false)}
          footer={
            <Box float="right">
              <SpaceBetween direction="horizontal" size="xs">
                <Button variant="link" onClick={() => setAsking(false)}>
                  {t('action.cancel')}
                </Button>
                <Button
                  variant="primary"
                  loading={settle.isRunning}
                  onClick={() => void settle.run({ body: { appId, siteId, revision } })}
                >
                  {t('place.settle')}
                </Button>
              </SpaceBetween>
            </Box>
          }
        >
          {t('place.askSettleText', { zone: t(`zones.${zoneOfSite(siteId)}`) })}
        </Modal>
      )}
    </Container>
  )
}
