import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { When } from '../../../../console/kit/When.tsx'
import { ZoneName } from '../../../../console/kit/ZoneName.tsx'
import type { Answer } from '../../../../kernel/contract.ts'
import { zoneOfSite } from '../../../../kernel/zones.ts'
import type { teams } from '../contract.ts'

/** What is told of a team, and how much of its limits is used. */
export function TeamFacts({ team }: { team: Answer<typeof teams.calls.getTeamInfo> }) {
  const { t, i18n } = useTranslation('ground/teams')
  const country = new Intl.DisplayNames([i18n.language], { type: 'region' }).of(team.countryCode) ?? team.countryCode
  const of = (used: number, most: number) => t('team.of', { used, most })
  return (
    <Container header={<Header variant="h2">{t('team.facts')}</Header>}>
      <KeyValuePairs
        columns={3}
        minColumnWidth={220}
        items={[
          { label: t('team.id'), value: team.teamId },
          { label: t('team.zone'), value: <ZoneName zone={zoneOfSite(team.siteId)} /> },
          { label: t('team.country'), value: country },
          { label: t('team.since'), value: <When at={team.createdAt} /> },
          { label: t('team.contactEmail'), value: team.contactEmail || '–' },
          {
            label: t('members.title'),
            value: <Link href={hrefOf('/team/members')}>{of(team.members, team.limits.members)}</Link>,
          },
          { label: t('invitations.open'), value: of(team.openInvitations, team.limits.openInvitations) },
          { label: t('scope.projects'), value: team.projects },
          { label: t('scope.apps'), value: team.apps },
        ]}
      />
    </Container>
  )
}
