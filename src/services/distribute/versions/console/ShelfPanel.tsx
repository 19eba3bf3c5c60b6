import Alert from '@cloudscape-design/components/alert'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { isOnShelf } from '../life/rules.ts'
import { limits } from '../rules.ts'
import { appsApi, type VersionView } from './version-calls.ts'

const shelfOffTones = { REQUESTED: 'info', REJECTED: 'error', DONE: 'info' } as const

/** On the shelf or taken off it: since when, why, and where to see what people do with it. */
export function ShelfPanel({ version }: { version: VersionView }) {
  const { t } = useTranslation('distribute/versions')
  const { appId, state, lastShelfOff, supersededBy, offShelfAt } = version
  const app = useCall(appsApi.getApp, { query: { appId } }).data
  const isOut = isOnShelf(state)
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <SpaceBetween direction="horizontal" size="m">
              <Link href={hrefOf('/apps/$appId/reach', { appId })}>{t('shelf.reach')}</Link>
              {isOut && app?.packageName && (
                <Link href={hrefOf('/store/$packageName', { packageName: app.packageName })}>{t('shelf.store')}</Link>
              )}
            </SpaceBetween>
          }
        >
          {isOut ? t('shelf.on') : t('shelf.off')}
        </Header>
      }
    >
      <SpaceBetween size="m">
        {lastShelfOff && (
          <Alert type={shelfOffTones[lastShelfOff.state]} header={t(`shelfOff.${lastShelfOff.state}`)}>
            <p className="version-said">{lastShelfOff.opinion ?? lastShelfOff.reason}</p>
            <When at={lastShelfOff.at} />
          </Alert>
        )}
        <KeyValuePairs
          columns={2}
          items={[
            { label: t('shelf.since'), value: <When at={version.onShelfAt} show="both" /> },
            ...(offShelfAt === null ? [] : [{ label: t('shelf.until'), value: <When at={offShelfAt} show="both" /> }]),
            ...(state === 'OFF_BY_DEVELOPER' && offShelfAt !== null
              ? [{ label: t('shelf.relist'), value: <When at={offShelfAt + limits.relistMs} show="both" /> }]
              : []),
            ...(supersededBy === null
              ? []
              : [
                  {
                    label: t('shelf.next'),
                    value: (
                      <Link href={hrefOf('/apps/$appId/version/$versionId', { appId, versionId: supersededBy })}>
                        {t('version.seeOther')}
                      </Link>
                    ),
                  },
                ]),
          ]}
        />
      </SpaceBetween>
    </Container>
  )
}
