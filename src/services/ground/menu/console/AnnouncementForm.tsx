import Toggle from '@cloudscape-design/components/toggle'
import { useTranslation } from 'react-i18next'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { SelectField } from '../../../../console/kit/SelectField.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { announcements } from '../announcements/contract.ts'
import { announcementKinds } from '../rules.ts'
import { news, type WrittenView } from './menu-calls.ts'
import { ToldForm, toldValues } from './ToldForm.tsx'

/** Writes an announcement in three languages, or changes one. */
export function AnnouncementForm({ row, onClose }: { row: WrittenView | null; onClose: () => void }) {
  const { t } = useTranslation('ground/menu')
  const form = useContractForm(announcements.calls.writeAnnouncement.body, {
    ...toldValues(row),
    kind: row?.kind ?? 'news',
    isBanner: row?.isBanner ?? true,
  })
  const write = useAction(news.writeAnnouncement, { onDone: onClose, errors: 'form' })
  const update = useAction(news.updateAnnouncement, { onDone: onClose, errors: 'form' })
  const { watch, setValue } = form.form

  return (
    <ToldForm
      header={row ? t('write.change') : t('write.new')}
      of={form}
      action={row ? update : write}
      submit={body =>
        row
          ? update.run({ params: { announcementId: row.announcementId }, body: { ...body, revision: row.revision } })
          : write.run({ body })
      }
      onClose={onClose}
      text={{ label: t('write.text'), rows: 6, isNeeded: true }}
      hints={{ startAt: t('write.startHint'), endAt: t('write.endHint') }}
      before={
        <SelectField
          of={form}
          name="kind"
          label={t('announcements.kind')}
          options={announcementKinds.map(kind => ({ value: kind, label: t(`kinds.${kind}`) }))}
        />
      }
      after={
        <Toggle checked={watch('isBanner')} onChange={({ detail }) => setValue('isBanner', detail.checked)}>
          {t('write.isBanner')}
        </Toggle>
      }
    />
  )
}
