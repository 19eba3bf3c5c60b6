import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageSearch } from '../../../../console/page-search.ts'
import { ChooseCountries } from './ChooseCountries.tsx'
import { ChoosePackage } from './ChoosePackage.tsx'
import { ChooseRelease } from './ChooseRelease.tsx'
import { CountryList } from './CountryList.tsx'
import { EditReviewInfo } from './EditReviewInfo.tsx'
import { type Section, sections } from './finding-words.ts'
import { PackageFacts } from './PackageFacts.tsx'
import { ReleaseFacts } from './ReleaseFacts.tsx'
import { ReviewInfo } from './ReviewInfo.tsx'
import type { VersionView } from './version-calls.ts'

const readSection = (raw: Record<string, unknown>): { section?: Section | undefined } => ({
  section: sections.find(one => one === raw['section']),
})

const dialogs = {
  package: ChoosePackage,
  release: ChooseRelease,
  countries: ChooseCountries,
  review: EditReviewInfo,
} as const

/** What the version is made of. Which part is being changed stands in the address, so that findings can link to it. */
export function ContentPanel({ version, shown }: { version: VersionView; shown: readonly Section[] }) {
  const { t } = useTranslation('distribute/versions')
  const [{ section }, change] = usePageSearch(readSection)
  const canEdit = version.allowedActions.includes('edit')
  const Dialog = canEdit && section && shown.includes(section) ? dialogs[section] : null
  const close = () => change({ section: undefined }, { replace: true })
  const content: Record<Section, ReactNode> = {
    package: <PackageFacts version={version} />,
    release: <ReleaseFacts version={version} />,
    countries: <CountryList countries={version.countries} />,
    review: <ReviewInfo version={version} />,
  }
  return (
    <SpaceBetween size="l">
      {shown.map(one => (
        <Container
          key={one}
          header={
            <Header
              variant="h2"
              counter={one === 'countries' ? `(${version.countries.length})` : ''}
              actions={
                canEdit && (
                  <Button
                    data-action="edit"
                    ariaLabel={t('content.changeOf', { what: t(`content.${one}`) })}
                    onClick={() => change({ section: one })}
                  >
                    {t('content.change')}
                  </Button>
                )
              }
            >
              {t(`content.${one}`)}
            </Header>
          }
        >
          {content[one]}
        </Container>
      ))}
      {Dialog && <Dialog version={version} onClose={close} />}
    </SpaceBetween>
  )
}
