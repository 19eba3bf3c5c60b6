import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { notify } from '../../../../console/notify.ts'
import { enterSession, useSession } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { queryClient } from '../../../../console/use-call.ts'
import { sessionPort } from './session-port.ts'
import { api, memberApi } from './team-calls.ts'

interface LeaveOrDeleteProps {
  team: { name: string; leaderAccountId: string; projects: number; apps: number }
}

/** The ways out: a member leaves, the leader deletes. */
export function LeaveOrDelete({ team }: LeaveOrDeleteProps) {
  const { t } = useTranslation('ground/teams')
  const session = useSession()
  const [isOpen, setOpen] = useState(false)
  const isLeader = session.status === 'in' && session.info.account.id === team.leaderAccountId
  const way = isLeader ? 'delete' : 'leave'
  const options = {
    onDone: () => {
      notify({ tone: 'success', text: t(`end.done.${way}`, { team: team.name }) })
      queryClient.clear()
      void sessionPort.read().then(enterSession)
      location.hash = '#/'
    },
  }
  const leave = useAction(memberApi.leaveTeam, options)
  const remove = useAction(api.deleteTeam, options)
  const isEmpty = team.projects + team.apps === 0
  const verb = t(`end.${way}`)
  return (
    <Container header={<Header variant="h2">{t('end.title')}</Header>}>
      <SpaceBetween size="s">
        <Box>{t(`end.${way}Text`, { projects: team.projects, apps: team.apps })}</Box>
        <Button data-action="end" disabled={isLeader && !isEmpty} onClick={() => setOpen(true)}>
          {verb}
        </Button>
      </SpaceBetween>
      {isOpen && (
        <ConfirmByName
          title={verb}
          name={team.name}
          verb={verb}
          isRunning={leave.isRunning || remove.isRunning}
          onConfirm={() => void (isLeader ? remove.run({}) : leave.run({})).then(() => setOpen(false))}
          onCancel={() => setOpen(false)}
        >
          {t(`end.${way}Warning`)}
        </ConfirmByName>
      )}
    </Container>
  )
}
