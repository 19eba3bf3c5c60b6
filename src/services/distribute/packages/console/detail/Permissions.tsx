import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useTranslation } from 'react-i18next'
import type { PackageView } from '../package-calls.ts'

/** What the app asks of a device, the part that tells them apart in front. */
export function Permissions({ permissions, features }: Pick<PackageView, 'permissions' | 'features'>) {
  const { t } = useTranslation('distribute/packages')
  return (
    <Container
      header={
        <Header variant="h2" counter={`(${permissions.length})`} description={t('permissions.text')}>
          {t('permissions.title')}
        </Header>
      }
    >
      {permissions.length === 0 && <p className="lg-soft">{t('permissions.none')}</p>}
      <ul className="packages-names">
        {permissions.map(({ name, maxSdk }) => (
          <li key={name}>
            <strong translate="no">{name.split('.').at(-1)}</strong>
            <span className="lg-soft">
              <span translate="no">{name}</span>
              {maxSdk !== undefined && ` · ${t('permissions.upTo', { level: maxSdk })}`}
            </span>
          </li>
        ))}
      </ul>
      {features.length > 0 && (
        <>
          <h3>{t('permissions.features')}</h3>
          <ul className="packages-names">
            {features.map(({ name, isRequired }) => (
              <li key={name}>
                <strong translate="no">{name}</strong>
                <span className="lg-soft">{isRequired ? t('permissions.required') : t('permissions.optional')}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Container>
  )
}
