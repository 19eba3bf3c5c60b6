import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf } from './address.ts'
import { maySee, useFace } from './face.ts'
import { EmptyState } from './kit/EmptyState.tsx'
import { PageHeader } from './kit/PageHeader.tsx'
import type { Language } from './language.ts'
import { pageGroups } from './page-spec.ts'
import { allRegistered } from './registry.ts'
import { useSession } from './session.ts'

/** Everything this person can open, by category: a map rather than a feed. */
export function HomeMap() {
  const { t, i18n } = useTranslation()
  const session = useSession()
  const face = useFace()
  const pages = allRegistered().filter(page => page.menu && page.face === face && maySee(page))
  const groups = pageGroups.filter(group => pages.some(page => page.group === group))
  const name = session.status === 'in' ? session.info.account.name : ''

  return (
    <SpaceBetween size="l">
      <PageHeader title={t('home.title', { name })} description={t(`home.text.${face}`)} />
      {groups.length === 0 && <EmptyState title={t('home.empty')} text={t('home.emptyText')} />}
      <div className="lg-home-groups">
        {groups.map(group => (
          <Container key={group} fitHeight header={<Header variant="h2">{t(`groups.${group}`)}</Header>}>
            <SpaceBetween size="xs">
              <Box color="text-body-secondary">{t(`groupTexts.${group}`)}</Box>
              {pages
                .filter(page => page.group === group)
                .map(page => (
                  <Link key={page.path} href={hrefOf(page.path)}>
                    {page.title[i18n.resolvedLanguage as Language]}
                  </Link>
                ))}
            </SpaceBetween>
          </Container>
        ))}
      </div>
    </SpaceBetween>
  )
}
