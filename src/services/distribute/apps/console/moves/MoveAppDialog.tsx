import Alert from '@cloudscape-design/components/alert'
import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../../console/address.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { notify } from '../../../../../console/notify.ts'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { moveLimits } from '../../transfer/rules.ts'
import type { AppView } from '../app-calls.ts'
import { BlockList } from './BlockList.tsx'
import { moveCalls } from './move-calls.ts'
import { ProjectChoice } from './ProjectChoice.tsx'

/** Puts an app into another project of the team, or holds it out to another team. */
export function MoveAppDialog({ app, onClose }: { app: AppView; onClose: () => void }) {
  const { t } = useTranslation('distribute/apps')
  const go = useGo()
  const [where, setWhere] = useState<'project' | 'team'>('project')
  const [toProjectId, setProject] = useState('')
  const [toTeamId, setTeam] = useState('')
  const [note, setNote] = useState('')
  const [testers, setTesters] = useState(true)
  const [typed, setTyped] = useState('')
  const appIds = [app.appId]
  const leave = () => {
    notify({ tone: 'success', text: where === 'team' ? t('moves.held') : t('moves.begun') })
    onClose()
    go('/moves')
  }
  const inside = useAction(moveCalls.moveToProject, { errors: 'form', onDone: leave })
  const outside = useAction(moveCalls.createMove, { errors: 'form', onDone: leave })
  const isTeam = where === 'team'
  const check = useCall(
    moveCalls.checkAppMove,
    { body: { appIds, ...(!isTeam && { toProjectId }) } },
    { staleTime: 0, enabled: isTeam || toProjectId !== '' },
  )
  const error = isTeam ? outside.error : inside.error
  const isWhole = isTeam ? /^[1-9]\d{0,18}$/.test(toTeamId.trim()) && typed.trim() === app.name : toProjectId !== ''
  const send = () =>
    isTeam
      ? void outside.run({ body: { appIds, toTeamId: toTeamId.trim(), include: { testers }, note } })
      : void inside.run({ body: { appIds, toProjectId } })
  return (
    <DialogBox
      title={t('moves.title', { name: app.name })}
      verb={t(isTeam ? 'moves.hold' : 'moves.move')}
      action={isTeam ? 'createMove' : 'moveToProject'}
      isRunning={inside.isRunning || outside.isRunning}
      canSubmit={isWhole && check.data?.canMove === true}
      refusal={error && errorText(error)}
      onSubmit={send}
      onClose={onClose}
    >
      {check.isFetching && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
      {check.data && !check.data.canMove && (
        <Alert type="warning" header={t('moves.blocked')}>
          <BlockList list={check.data.list} />
        </Alert>
      )}
      {may('apps.move') && (
        <FormField label={t('moves.where')}>
          <RadioGroup
            value={where}
            items={(['project', 'team'] as const).map(value => ({
              value,
              label: t(`moves.wheres.${value}`),
              description: t(`moves.whereTexts.${value}`),
            }))}
            onChange={({ detail }) => setWhere(detail.value as 'project' | 'team')}
          />
        </FormField>
      )}
      {isTeam ? (
        <SpaceBetween size="m">
          <FormField label={t('moves.teamId')} constraintText={t('moves.teamIdHint')}>
            <Input value={toTeamId} inputMode="numeric" onChange={({ detail }) => setTeam(detail.value)} />
          </FormField>
          <FormField label={t('moves.note')}>
            <Textarea
              value={note}
              rows={2}
              onChange={({ detail }) => setNote(detail.value.slice(0, moveLimits.noteLength))}
            />
          </FormField>
          <Checkbox checked={testers} onChange={({ detail }) => setTesters(detail.checked)}>
            {t('moves.testers')}
          </Checkbox>
          <Alert type="info">{t('moves.consequences')}</Alert>
          <FormField label={t('moves.typeName', { name: app.name })}>
            <Input value={typed} spellcheck={false} onChange={({ detail }) => setTyped(detail.value)} />
          </FormField>
        </SpaceBetween>
      ) : (
        <ProjectChoice value={toProjectId} but={app.projectId} siteId={app.siteId} onChange={setProject} />
      )}
    </DialogBox>
  )
}
