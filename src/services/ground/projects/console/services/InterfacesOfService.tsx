import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { Language } from '../../../../../console/language.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { interfaceState, interfaceTones } from '../interface-states.ts'
import { type ApiView, keyApi } from '../project-calls.ts'

/** The interfaces that belong to a service; closing one asks first, since keys in use stop there. */
export function InterfacesOfService({ projectId, serviceId }: { projectId: string; serviceId: string }) {
  const { t, i18n } = useTranslation('ground/projects')
  const language = i18n.resolvedLanguage as Language
  const [doomed, setDoomed] = useState<ApiView | null>(null)
  const found = useCall(keyApi.listProjectApis, { query: { projectId } })
  const open = useAction(keyApi.openProjectApis)
  const close = useAction(keyApi.closeProjectApi, { onDone: () => setDoomed(null) })
  const list = found.data?.list.filter(one => one.serviceId === serviceId) ?? []
  const turn = (row: ApiView) =>
    row.isEnabled ? setDoomed(row) : void open.run({ body: { projectId, apiIds: [row.apiId as 'publishing'] } })
  return (
    <SpaceBetween size="s">
      <Box variant="h3">{t('keys.apis')}</Box>
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <StatusBadge tone="running" text={t('state.loading')} />}
      {found.data && list.length === 0 && <Box color="text-body-secondary">{t('services.noInterfaces')}</Box>}
      {list.map(row => (
        <SpaceBetween key={row.apiId} direction="horizontal" size="s" alignItems="center">
          <span>{row.name[language]}</span>
          <StatusBadge
            tone={interfaceTones[interfaceState(row)]}
            text={t(`interfaces.states.${interfaceState(row)}`)}
          />
          <Can call={keyApi.openProjectApis}>
            <Button
              data-action={row.isEnabled ? 'close-api' : 'open-api'}
              ariaLabel={t(row.isEnabled ? 'interfaces.closeOf' : 'interfaces.openOf', { name: row.name[language] })}
              loading={open.isRunning}
              onClick={() => turn(row)}
            >
              {t(row.isEnabled ? 'interfaces.close' : 'interfaces.open')}
            </Button>
          </Can>
        </SpaceBetween>
      ))}
      {doomed && (
        <Alert
          type="warning"
          header={t('interfaces.closeOf', { name: doomed.name[language] })}
          action={
            <SpaceBetween direction="horizontal" size="xs">
              <Button variant="link" onClick={() => setDoomed(null)}>
                {t('action.cancel')}
              </Button>
              <Button
                variant="primary"
                data-confirm="close-api"
                loading={close.isRunning}
                onClick={() => void close.run({ query: { projectId, apiId: doomed.apiId as 'publishing' } })}
              >
                {t('interfaces.closeIt')}
              </Button>
            </SpaceBetween>
          }
        >
          {t('interfaces.closeText')}
        </Alert>
      )}
    </SpaceBetween>
  )
}
