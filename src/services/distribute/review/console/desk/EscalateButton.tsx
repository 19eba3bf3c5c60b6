import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { deskMoves } from '../../senior/contract.ts'
import { moves } from '../review-calls.ts'
import { useDeskZone } from './use-desk-zone.ts'

/** Hands a claimed task to a senior reviewer, with what was seen. */
export function EscalateButton({ taskId }: { taskId: string }) {
  const { t } = useTranslation('distribute/review')
  const { at } = useDeskZone()
  const [isAsking, setAsking] = useState(false)
  const form = useContractForm(deskMoves.calls.escalateTask.body, { taskId, note: '' })
  const act = useAction(moves.escalateTask, {
    errors: 'form',
    onDone: () => {
      setAsking(false)
      notify({ tone: 'success', text: t('senior.handed') })
    },
  })
  return (
    <>
      <Button data-action="escalate" onClick={() => setAsking(true)}>
        {t('senior.hand')}
      </Button>
      {isAsking && (
        <Modal visible header={t('senior.hand')} onDismiss={() => setAsking(false)}>
          <ContractFormBox
            of={form}
            action={act}
            submit={body => act.run({ body }, at)}
            submitLabel={t('senior.hand')}
            onCancel={() => setAsking(false)}
          >
            <TextAreaField of={form} name="note" label={t('senior.note')} rows={4} />
          </ContractFormBox>
        </Modal>
      )}
    </>
  )
}
