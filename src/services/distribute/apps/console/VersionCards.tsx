import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import type { AppView } from './app-calls.ts'
import { toneOfVersion, versionText } from './app-words.ts'

/** The two versions that matter: what people can install, and what is being prepared. */
export function VersionCards({ app }: { app: AppView }) {
  const { t } = useTranslation('distribute/apps')
  const { appId, shelf, openVersionId, openVersionState } = app
  const ofShelf = shelf && hrefOf('/apps/$appId/version/$versionId', { appId, versionId: shelf.versionId })
  return (
    <div className="apps-cards">
      <Container fitHeight header={<Header variant="h2">{t('app.onShelf')}</Header>}>
        {shelf && ofShelf ? (
          <SpaceBetween size="xs">
            <div className="apps-version-name">{versionText(shelf)}</div>
            <div className="lg-soft">
              {t('app.since')} <When at={shelf.at} show="both" />
            </div>
            <Link href={ofShelf}>{t('app.seeVersion')}</Link>
          </SpaceBetween>
        ) : (
          <div className="lg-soft">{app.everOnShelf ? t('app.offShelfText') : t('app.neverOnShelfText')}</div>
        )}
      </Container>
      <Container fitHeight header={<Header variant="h2">{t('app.openVersion')}</Header>}>
        {openVersionId !== null && openVersionState !== null ? (
          <SpaceBetween size="xs">
            <StatusBadge tone={toneOfVersion(openVersionState)} text={t(`versionStates.${openVersionState}`)} />
            <div className="lg-soft">{t(`versionTexts.${openVersionState}`)}</div>
            <Link href={hrefOf('/apps/$appId/version', { appId })}>{t('app.seeVersion')}</Link>
          </SpaceBetween>
        ) : (
          <SpaceBetween size="xs">
            <div className="lg-soft">{t('app.noOpenVersion')}</div>
            <Link href={hrefOf('/apps/$appId/version', { appId })}>{t('app.toVersions')}</Link>
          </SpaceBetween>
        )}
      </Container>
    </div>
  )
}
