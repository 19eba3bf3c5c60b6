import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { databaseApi } from '../database-calls.ts'

/** Says how many rows go with a type before it goes. */
export function DeleteType({ projectId, name, onClose }: { projectId: string; name: string; onClose: () => void }) {
  const { t } = useTranslation('build/cloud-db')
  const types = useCall(databaseApi.fetchDataUsage, { query: { projectId, days: 1 } })
  const remove = useAction(databaseApi.deleteObjectType, { onDone: onClose })
  const rows = (types.data?.perType ?? [])
    .filter(one => one.objectTypeName === name)
    .reduce((total, one) => total + one.rows, 0)
  return (
    <ConfirmByName
      title={t('types.deleteTitle', { name })}
      name={name}
      verb={t('types.delete')}
      isRunning={remove.isRunning}
      onCancel={onClose}
      onConfirm={() => void remove.run({ query: { projectId, name, confirm: name } })}
    >
      {t('types.deleteText', { count: rows })}
    </ConfirmByName>
  )
}
