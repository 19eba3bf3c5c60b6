import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Modal from '@cloudscape-design/components/modal'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { CutoverField } from './CutoverField.tsx'
import { MemberList } from './MemberList.tsx'
import { ModeField } from './ModeField.tsx'
import { api, type SeriesView } from './series-calls.ts'

/** One series: its editions, who sees which, and its end. */
export function SeriesDialog({ one, onClose }: { one: SeriesView; onClose: () => void }) {
  const { t } = useTranslation('distribute/series')
  const { seriesId, revision, canEdit } = one
  const main = one.members.find(member => member.role === 'MAIN')
  const free = useCall(
    api.queryOptionalList,
    { body: { ...(main && { appId: main.appId }), search: '', pageSize: 100 } },
    { enabled: canEdit },
  )
  const add = useAction(api.addToSeries, { errors: 'form' })
  const remove = useAction(api.removeFromSeries, { errors: 'form' })
  const end = useAction(api.deleteSeries, { errors: 'form', onDone: onClose })
  const error = add.error ?? remove.error ?? end.error
  return (
    <Modal
      visible
      size="large"
      header={<span translate="no">{one.name}</span>}
      onDismiss={onClose}
      footer={
        canEdit && (
          <Box float="right">
            <Button
              data-action="deleteSeries"
              loading={end.isRunning}
              onClick={() => void end.run({ body: { seriesId, revision } })}
            >
              {t('end')}
            </Button>
          </Box>
        )
      }
    >
      <SpaceBetween size="l">
        <MemberList
          one={one}
          onRemove={appId => void remove.run({ body: { seriesId, appId, revision } })}
          isRunning={remove.isRunning}
        />
        {canEdit && (
          <FormField label={t('add')} constraintText={t('othersHint')}>
            <Select
              selectedOption={null}
              options={(free.data?.list ?? []).map(app => ({
                value: app.appId,
                label: app.name,
                description: t(`types.${app.packageType}`),
              }))}
              placeholder={t('choose')}
              empty={t('noApps')}
              statusType={free.isPending || add.isRunning ? 'loading' : 'finished'}
              expandToViewport
              onChange={({ detail }) =>
                void add.run({ body: { seriesId, appId: detail.selectedOption.value ?? '', revision } })
              }
            />
          </FormField>
        )}
        <ModeField key={revision} one={one} />
        <CutoverField one={one} />
        {error && <Alert type="error">{errorText(error)}</Alert>}
      </SpaceBetween>
    </Modal>
  )
}
