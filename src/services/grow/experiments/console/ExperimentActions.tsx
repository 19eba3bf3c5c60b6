import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGo } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { useAction } from '../../../../console/use-action.ts'
import type { ExperimentView } from '../contract.ts'
import { ConcludeDialog } from './ConcludeDialog.tsx'
import { CopyDialog } from './CopyDialog.tsx'
import { experimentsApi } from './experiment-calls.ts'

type Open = 'remove' | 'stop' | 'conclude' | 'copy' | null

/** What can be done with an experiment now: only what its life cycle and the caller's rights allow. */
export function ExperimentActions({ experiment }: { experiment: ExperimentView }) {
  const { t } = useTranslation('grow/experiments')
  const go = useGo()
  const [open, setOpen] = useState<Open>(null)
  const { experimentId, revision, name, projectId, allowedActions } = experiment
  const input = { params: { experimentId }, body: { revision } }
  const validate = useAction(experimentsApi.validateExperiment)
  const start = useAction(experimentsApi.startExperiment)
  const pause = useAction(experimentsApi.pauseExperiment)
  const resume = useAction(experimentsApi.resumeExperiment)
  const stop = useAction(experimentsApi.stopExperiment, { onDone: () => setOpen(null) })
  const archive = useAction(experimentsApi.archiveExperiment)
  const remove = useAction(experimentsApi.deleteExperiment, { onDone: () => go('/experiments', {}, { projectId }) })
  const may = (action: (typeof allowedActions)[number]) => allowedActions.includes(action)
  const plain = { validate, start, pause, resume, archive } as const
  // Each act names the revision it was decided on: the next waits until the one that runs has made its own.
  const isBusy = Object.values(plain).some(act => act.isRunning)
  return (
    <>
      {may('remove') && (
        <Button data-action="delete" disabled={isBusy} onClick={() => setOpen('remove')}>
          {t('delete')}
        </Button>
      )}
      <Can call={experimentsApi.copyExperiment}>
        <Button data-action="copy" onClick={() => setOpen('copy')}>
          {t('acts.copy')}
        </Button>
      </Can>
      {may('stop') && (
        <Button data-action="stop" disabled={isBusy} onClick={() => setOpen('stop')}>
          {t('acts.stop')}
        </Button>
      )}
      {(Object.keys(plain) as (keyof typeof plain)[]).filter(may).map(action => (
        <Button
          key={action}
          data-action={action}
          variant={action === 'pause' || action === 'archive' ? 'normal' : 'primary'}
          loading={plain[action].isRunning}
          disabled={isBusy}
          onClick={() => void plain[action].run(input)}
        >
          {t(`acts.${action}`)}
        </Button>
      ))}
      {(may('ship') || may('conclude')) && (
        <Button variant="primary" data-action="conclude" disabled={isBusy} onClick={() => setOpen('conclude')}>
          {t('acts.conclude')}
        </Button>
      )}
      {open === 'remove' && (
        <ConfirmByName
          title={t('acts.removeTitle', { name })}
          name={name}
          verb={t('delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ params: { experimentId } })}
          onCancel={() => setOpen(null)}
        >
          {t('acts.removeText')}
        </ConfirmByName>
      )}
      {open === 'stop' && (
        <ConfirmByName
          title={t('acts.stopTitle', { name })}
          name={name}
          verb={t('acts.stop')}
          isRunning={stop.isRunning}
          onConfirm={() => void stop.run(input)}
          onCancel={() => setOpen(null)}
        >
          {t('acts.stopText')}
        </ConfirmByName>
      )}
      {open === 'copy' && <CopyDialog experiment={experiment} onClose={() => setOpen(null)} />}
      {open === 'conclude' && <ConcludeDialog experiment={experiment} onClose={() => setOpen(null)} />}
    </>
  )
}
