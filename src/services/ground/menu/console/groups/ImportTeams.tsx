import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Modal from '@cloudscape-design/components/modal'
import ProgressBar from '@cloudscape-design/components/progress-bar'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import type { ZoneId } from '../../../../../kernel/zones.ts'
import { limits, teamIdsIn } from '../../rules.ts'
import { type GroupView, operations } from '../menu-calls.ts'

interface ImportTeamsProps {
  group: GroupView
  zone: ZoneId
  onClose: () => void
}

interface Progress {
  sent: number
  unknown: string[]
  isOver: boolean
}

const shownAtMost = 20
const biggestFile = 5_000_000

/** Takes in a list of team ids, part by part; says what in it was no id and which ids are no team's. */
export function ImportTeams({ group, zone, onClose }: ImportTeamsProps) {
  const { t } = useTranslation('ground/menu')
  const { groupCode, name } = group
  const [text, setText] = useState('')
  const [isTooBig, setTooBig] = useState(false)
  const [progress, setProgress] = useState<Progress | null>(null)
  const act = useAction(operations.changeGroup)
  const { ids, wrong } = teamIdsIn(text)
  const few = (list: readonly string[]) =>
    list.slice(0, shownAtMost).join(', ') + (list.length > shownAtMost ? ' …' : '')

  const read = async (file: File) => {
    setTooBig(file.size > biggestFile)
    if (file.size <= biggestFile) setText(await file.text())
  }
  const send = async () => {
    const unknown: string[] = []
    for (let at = 0; at < ids.length; at += limits.teamsAtOnce) {
      setProgress({ sent: at, unknown, isOver: false })
      const join = ids.slice(at, at + limits.teamsAtOnce)
      const answer = await act.run({ body: { groupCode, name, join, leave: [] } }, { zone })
      if (!answer) return setProgress(null)
      unknown.push(...answer.unknown)
    }
    setProgress({ sent: ids.length, unknown, isOver: true })
  }
  return (
    <Modal
      visible
      header={t('groups.importTeams')}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant={progress?.isOver ? 'primary' : 'link'} onClick={onClose}>
              {progress?.isOver ? t('action.close') : t('action.cancel')}
            </Button>
            {!progress?.isOver && (
              <Button
                variant="primary"
                data-action="sendImport"
                disabled={ids.length === 0}
                loading={progress !== null}
                onClick={() => void send()}
              >
                {t('groups.importCount', { count: ids.length })}
              </Button>
            )}
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        {progress === null && (
          <SpaceBetween size="m">
            <FormField label={t('groups.ids')} description={t('groups.idsText')}>
              <Textarea
                value={text}
                rows={6}
                spellcheck={false}
                placeholder={t('groups.idsLike')}
                onChange={({ detail }) => setText(detail.value)}
              />
            </FormField>
            <FileDrop
              label={t('groups.file')}
              hint={t('groups.fileHint')}
              accept=".csv,.txt,text/plain,text/csv"
              onFiles={([file]) => file && void read(file)}
            />
            {isTooBig && <Alert type="error">{t('groups.fileTooBig')}</Alert>}
            {wrong.length > 0 && (
              <Alert type="warning" header={t('groups.wrong', { count: wrong.length })}>
                <span translate="no">{few(wrong)}</span>
              </Alert>
            )}
          </SpaceBetween>
        )}
        {progress && (
          <ProgressBar
            value={(progress.sent * 100) / Math.max(1, ids.length)}
            label={progress.isOver ? t('groups.imported') : t('groups.importing')}
            {...(!progress.isOver && {
              additionalInfo: t('groups.importSum', { count: progress.sent - progress.unknown.length }),
            })}
            status={progress.isOver ? 'success' : 'in-progress'}
            resultText={t('groups.importSum', { count: progress.sent - progress.unknown.length })}
          />
        )}
        {progress && progress.unknown.length > 0 && (
          <Alert type="warning" header={t('groups.unknown', { count: progress.unknown.length })}>
            <span translate="no">{few(progress.unknown)}</span>
          </Alert>
        )}
      </SpaceBetween>
    </Modal>
  )
}
