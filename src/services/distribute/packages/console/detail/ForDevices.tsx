import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import { OutsideLink } from '../../../../../console/kit/OutsideLink.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { madeCalls, type PackageView } from '../package-calls.ts'
import { Copied } from './Copied.tsx'
import { PartTable } from './PartTable.tsx'

const tones = { NEEDED: 'caution', RUNNING: 'running', DONE: 'good', FAILED: 'bad', NOT_NEEDED: 'off' } as const

/** What devices get where that is not the upload: the packages that the store made and signed. */
export function ForDevices({ one }: { one: PackageView }) {
  const { t } = useTranslation('distribute/packages')
  const { appId, pkgId } = one
  const found = useCall(madeCalls.getResignInfo, { query: { appId, pkgId } })
  const set = useCall(madeCalls.getApks, { query: { appId, pkgId } })
  const again = useAction(madeCalls.resign)
  const info = found.data
  if (!info || (info.status === 'NOT_NEEDED' && !info.resigned)) return null
  const isStale = info.status === 'NEEDED'
  const apks = info.resigned ? (set.data?.apks ?? []) : []
  return (
    <Container
      header={
        <Header
          variant="h2"
          info={<StatusBadge tone={tones[info.status]} text={t(`devicesGet.status.${info.status}`)} />}
          actions={
            <div className="lg-actions">
              <Button href={hrefOf('/apps/$appId/signing', { appId })}>{t('devicesGet.signing')}</Button>
              {info.allowedActions.includes('signAgain') && (
                <Button
                  variant="primary"
                  data-action="signAgain"
                  loading={again.isRunning}
                  onClick={() => void again.run({ body: { appId, pkgId, revision: info.revision } })}
                >
                  {t('devicesGet.again')}
                </Button>
              )}
            </div>
          }
          description={t('devicesGet.text')}
        >
          {t('devicesGet.title')}
        </Header>
      }
    >
      <SpaceBetween size="l">
        {isStale && <Alert type="warning">{t(info.isHeld ? 'devicesGet.held' : 'devicesGet.stale')}</Alert>}
        {apks.map(apk => (
          <KeyValuePairs
            key={apk.objectId}
            columns={3}
            minColumnWidth={180}
            items={[
              {
                label: apk.abi === null ? t('devicesGet.whole') : t('devicesGet.of', { abi: apk.abi }),
                value: (
                  <OutsideLink href={apk.downloadUrl}>
                    <span translate="no">{apk.fileName}</span>
                  </OutsideLink>
                ),
              },
              { label: t('devicesGet.size'), value: <ByteSize value={apk.sizeBytes} /> },
              { label: 'SHA-256', value: <Copied text={apk.sha256} isDigest /> },
            ]}
          />
        ))}
        {info.resigned && <PartTable parts={set.data?.parts ?? []} />}
      </SpaceBetween>
    </Container>
  )
}
