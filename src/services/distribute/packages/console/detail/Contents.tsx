import Badge from '@cloudscape-design/components/badge'
import Container from '@cloudscape-design/components/container'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { PackageView } from '../package-calls.ts'

const shown = 300

/** Libraries of others, what other apps can start, languages, native code: what is inside and not on the first page. */
export function Contents({ one }: { one: PackageView }) {
  const { t } = useTranslation('distribute/packages')
  const { sdks, components, languages, nativeLibraries } = one
  if (sdks.length + components.length + languages.length + nativeLibraries.length === 0) return null
  const exported = components.filter(component => component.isExported).length
  return (
    <Container header={<Header variant="h2">{t('contents.title')}</Header>}>
      <SpaceBetween size="m">
        {sdks.length > 0 && (
          <ExpandableSection defaultExpanded headerText={t('contents.sdks')} headerCounter={`(${sdks.length})`}>
            <ul className="packages-names">
              {sdks.map(sdk => (
                <li key={sdk.name}>
                  <strong translate="no">
                    {sdk.name} {sdk.version}
                  </strong>
                  <span className="lg-soft" translate="no">
                    {sdk.provider}
                  </span>
                </li>
              ))}
            </ul>
          </ExpandableSection>
        )}
        {components.length > 0 && (
          <ExpandableSection
            headerText={t('contents.components')}
            headerCounter={`(${components.length})`}
            headerDescription={t('contents.exportedCount', { count: exported })}
          >
            <ul className="packages-changes">
              {components.slice(0, shown).map(component => (
                <li key={`${component.kind} ${component.name}`}>
                  <span>
                    <span translate="no">{component.name}</span>{' '}
                    <span className="lg-soft">{t(`contents.kinds.${component.kind}`)}</span>
                  </span>
                  {component.isExported && <StatusBadge tone="info" text={t('contents.exported')} />}
                </li>
              ))}
            </ul>
          </ExpandableSection>
        )}
        {nativeLibraries.length > 0 && (
          <ExpandableSection headerText={t('compare.libraries')} headerCounter={`(${nativeLibraries.length})`}>
            <ul className="packages-changes">
              {nativeLibraries.slice(0, shown).map(library => (
                <li key={library.path}>
                  <span translate="no">{library.path}</span>
                  <ByteSize value={library.sizeBytes} />
                </li>
              ))}
            </ul>
          </ExpandableSection>
        )}
        {languages.length > 0 && (
          <ExpandableSection headerText={t('contents.languages')} headerCounter={`(${languages.length})`}>
            <span className="packages-badges">
              {languages.map(language => (
                <span key={language} translate="no">
                  <Badge>{language}</Badge>
                </span>
              ))}
            </span>
          </ExpandableSection>
        )}
      </SpaceBetween>
    </Container>
  )
}
