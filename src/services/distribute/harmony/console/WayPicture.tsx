import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Icon, { type IconProps } from '@cloudscape-design/components/icon'
import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../../console/use-call.ts'
import { certsApi, devicesApi, profilesApi } from './harmony-calls.ts'

/** From the key to the device: what there is of each step, and what is missing before the next one. */
export function WayPicture({ onGo }: { onGo: (tab: string) => void }) {
  const { t } = useTranslation('distribute/harmony')
  const one = { pageSize: 1 } as const
  const certs = useCall(certsApi.listCerts, { body: { ...one, state: 'VALID' } })
  const devices = useCall(devicesApi.listDevices, { query: one })
  const profiles = useCall(profilesApi.listProfiles, { query: { ...one, state: 'VALID' } })
  const steps: { id: string; icon: IconProps.Name; count: number | undefined; tab?: string }[] = [
    { id: 'key', icon: 'key', count: undefined },
    { id: 'certificate', icon: 'lock-private', count: certs.data?.total, tab: 'certificates' },
    { id: 'device', icon: 'multiscreen', count: devices.data?.total, tab: 'devices' },
    { id: 'profile', icon: 'file', count: profiles.data?.total, tab: 'profiles' },
    { id: 'package', icon: 'check', count: undefined },
  ]
  return (
    <Container header={<Header variant="h2">{t('way.title')}</Header>}>
      <ol className="harmony-way" aria-label={t('way.title')}>
        {steps.map(({ id, icon, count, tab }) => (
          <li key={id} className={count === 0 ? 'harmony-missing' : undefined}>
            <span className="harmony-icon" aria-hidden="true">
              <Icon name={icon} size="medium" />
            </span>
            <strong>
              {tab ? (
                <Link
                  href={`?tab=${tab}`}
                  onFollow={event => {
                    event.preventDefault()
                    onGo(tab)
                  }}
                >
                  {t(`way.${id}`)}
                  {count !== undefined && ` (${count})`}
                </Link>
              ) : (
                t(`way.${id}`)
              )}
            </strong>
            <span className="lg-soft">{t(`way.${id}Text`)}</span>
          </li>
        ))}
      </ol>
    </Container>
  )
}
