import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { databaseApi, rowsApi } from '../database-calls.ts'

interface RemoveRowsProps {
  place: { projectId: string; cloudDBZoneName: string; objectTypeName: string }
  /** The keys of the rows. */
  objects: Record<string, unknown>[]
  /** They are in the bin: then they go for good. */
  isBin: boolean
  onDone: () => void
  onClose: () => void
}

/** Says how many rows go, and whether they can be brought back, before they go. */
export function RemoveRows({ place, objects, isBin, onDone, onClose }: RemoveRowsProps) {
  const { t } = useTranslation('build/cloud-db')
  const bin = useCall(databaseApi.getRetentionPeriod, { query: { projectId: place.projectId } })
  const options = {
    errors: 'form' as const,
    onDone: () => {
      onDone()
      onClose()
    },
  }
  const remove = useAction(rowsApi.deleteObject, options)
  const purge = useAction(rowsApi.purgeObjects, options)
  const action = isBin ? purge : remove
  const days = !isBin && bin.data?.enabled ? bin.data.days : 0
  const verb = isBin ? t('bin.purge') : t('data.delete')
  return (
    <DialogBox
      title={t('data.removeTitle', { count: objects.length })}
      verb={verb}
      action="cloudDb.removeRows"
      isRunning={action.isRunning}
      canSubmit={isBin || bin.data !== undefined}
      refusal={action.error && errorText(action.error)}
      onClose={onClose}
      onSubmit={() => void action.run({ body: { ...place, objects } })}
    >
      {days > 0 ? t('data.removeKept', { count: days }) : t('data.removeGone')}
    </DialogBox>
  )
}
