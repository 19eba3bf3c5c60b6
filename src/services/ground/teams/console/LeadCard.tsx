import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { notify } from '../../../../console/notify.ts'
import { may } from '../../../../console/session.ts'
import { switchTeam } from '../../../../console/shell/session-actions.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { leadApi, memberApi } from './team-calls.ts'

/** Who leads the team, and the lead on its way from one to another. */
export function LeadCard({ teamId }: { teamId: string }) {
  const { t } = useTranslation('ground/teams')
  const [isOffering, setOffering] = useState(false)
  const lead = useCall(leadApi.getMainUser, {})
  const act = useAction(leadApi.changeMainUser, {
    onDone: (_, { body }) => {
      notify({ tone: 'success', text: t(`lead.done.${body.action}`) })
      // Rights changed with it; the session is read anew.
      if (body.action === 'accept') void switchTeam(teamId)
    },
  })
  if (lead.error) return <ErrorState error={lead.error} onRetry={() => void lead.refetch()} />
  if (!lead.data) return null
  const { leader, offer } = lead.data
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t('lead.text')}
          actions={
            may('teams.transfer') &&
            !offer && (
              <Button data-action="offer-lead" onClick={() => setOffering(true)}>
                {t('lead.offer')}
              </Button>
            )
          }
        >
          {t('lead.title')}
        </Header>
      }
    >
      <SpaceBetween size="s">
        <Box>
          <strong>{leader.name}</strong> <span className="lg-soft">{leader.loginName}</span>
        </Box>
        {offer && (
          <SpaceBetween size="s">
            <Box>
              {t('lead.open', { name: offer.toName })} <When at={offer.expiresAt} />
            </Box>
            <SpaceBetween direction="horizontal" size="xs">
              {offer.allowedActions.map(action => (
                <Button
                  key={action}
                  variant={action === 'accept' ? 'primary' : 'normal'}
                  data-action={`lead-${action}`}
                  loading={act.isRunning}
                  onClick={() => void act.run({ body: { action } })}
                >
                  {t(`lead.do.${action}`)}
                </Button>
              ))}
            </SpaceBetween>
          </SpaceBetween>
        )}
      </SpaceBetween>
      {isOffering && (
        <OfferLead
          leaderId={leader.accountId}
          isRunning={act.isRunning}
          onOffer={accountId => void act.run({ body: { action: 'offer', accountId } }).then(() => setOffering(false))}
          onClose={() => setOffering(false)}
        />
      )}
    </Container>
  )
}

interface OfferLeadProps {
  leaderId: string
  isRunning: boolean
  onOffer: (accountId: string) => void
  onClose: () => void
}

function OfferLead({ leaderId, isRunning, onOffer, onClose }: OfferLeadProps) {
  const { t } = useTranslation('ground/teams')
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<{ value: string; label: string } | null>(null)
  const query = { status: 'active' as const, search, pageSize: 50 }
  const found = useCall(memberApi.listMembers, { query }, { keepBefore: true })
  const others = (found.data?.list ?? []).filter(one => one.accountId !== leaderId)
  return (
    <DialogBox
      title={t('lead.offer')}
      verb={t('lead.offer')}
      action="offer-lead"
      isRunning={isRunning}
      canSubmit={chosen !== null}
      onSubmit={() => chosen && onOffer(chosen.value)}
      onClose={onClose}
    >
      <Box>{t('lead.offerText')}</Box>
      <FormField label={t('lead.to')}>
        <Select
          selectedOption={chosen}
          options={others.map(one => ({ value: one.accountId, label: one.name, description: one.loginName }))}
          placeholder={t('lead.choose')}
          filteringType="manual"
          expandToViewport
          statusType={found.isPending ? 'loading' : 'finished'}
          empty={t('lead.nobody')}
          onLoadItems={({ detail }) => setSearch(detail.filteringText.slice(0, 64))}
          onChange={({ detail }) => {
            const { value, label = '' } = detail.selectedOption
            setChosen(value ? { value, label } : null)
          }}
        />
      </FormField>
    </DialogBox>
  )
}
