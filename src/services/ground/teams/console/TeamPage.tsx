import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { ZoneName } from '../../../../console/kit/ZoneName.tsx'
import { may, useSession } from '../../../../console/session.ts'
import { useCall } from '../../../../console/use-call.ts'
import { zoneOfSite } from '../../../../kernel/zones.ts'
import { EditTeam } from './EditTeam.tsx'
import { MyTeams } from './MyTeams.tsx'
import { NewTeam } from './NewTeam.tsx'
import { api } from './team-calls.ts'

export default function TeamPage() {
  const { t, i18n } = useTranslation('ground/teams')
  const session = useSession()
  const [open, setOpen] = useState<'edit' | 'new' | null>(null)
  const hasTeam = session.status === 'in' && session.teamId !== null && may('teams.read')
  const team = useCall(api.getTeam, {}, { enabled: hasTeam })
  const members = useCall(api.listMembers, { query: { pageSize: 1 } }, { enabled: hasTeam })
  const create = <Button onClick={() => setOpen('new')}>{t('team.create')}</Button>
  const country = (code: string) => new Intl.DisplayNames([i18n.language], { type: 'region' }).of(code) ?? code

  return (
    <SpaceBetween size="l">
      <PageHeader
        title={team.data?.name ?? t('team.title')}
        description={t('team.text')}
        actions={
          <>
            <Can call={api.updateTeam}>
              <Button disabled={!team.data} onClick={() => setOpen('edit')}>
                {t('team.rename')}
              </Button>
            </Can>
            {create}
          </>
        }
      />
      {!hasTeam && <EmptyState title={t('team.none')} text={t('team.noneText')} action={create} />}
      {team.error && <ErrorState error={team.error} onRetry={() => void team.refetch()} />}
      {hasTeam && team.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
      {team.data && (
        <Container header={<Header variant="h2">{t('team.facts')}</Header>}>
          <KeyValuePairs
            columns={3}
            minColumnWidth={220}
            items={[
              { label: t('team.id'), value: team.data.teamId },
              { label: t('team.zone'), value: <ZoneName zone={zoneOfSite(team.data.siteId)} /> },
              { label: t('team.country'), value: country(team.data.countryCode) },
              { label: t('team.since'), value: <When at={team.data.createdAt} /> },
              { label: t('team.leader'), value: members.data?.list.find(one => one.isLeader)?.name ?? '–' },
              {
                label: t('members.title'),
                value: <Link href={hrefOf('/team/members')}>{members.data?.total ?? '–'}</Link>,
              },
            ]}
          />
        </Container>
      )}
      <MyTeams />
      {open === 'edit' && team.data && <EditTeam team={team.data} onClose={() => setOpen(null)} />}
      {open === 'new' && <NewTeam onClose={() => setOpen(null)} />}
    </SpaceBetween>
  )
}
