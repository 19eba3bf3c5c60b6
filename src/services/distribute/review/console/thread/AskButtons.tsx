import '../review.css'
import Button from '@cloudscape-design/components/button'
import Modal from '@cloudscape-design/components/modal'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { appeals } from '../../appeals/contract.ts'
import { appealApi, type ItemView } from '../review-calls.ts'

interface AskProps {
  submissionId: string
  item: ItemView
}
type Ask = 'appeal' | 'expedite'

const bodyOf = { appeal: appeals.calls.appealRejection.body, expedite: appeals.calls.expediteReview.body }

/** What a developer can do about a review that went wrong, or takes too long. */
export function AskButtons({ submissionId, item }: AskProps) {
  const { t } = useTranslation('distribute/review')
  const [asked, setAsked] = useState<Ask | null>(null)
  const offered = (['appeal', 'expedite'] as const).filter(one => item.allowedActions.includes(one))
  if (offered.length === 0) return null
  return (
    <>
      <div className="review-asks">
        {offered.map(one => (
          <Button key={one} data-action={one} onClick={() => setAsked(one)}>
            {t(`ask.${one}.verb`)}
          </Button>
        ))}
      </div>
      {asked && <AskDialog ask={asked} submissionId={submissionId} item={item} onClose={() => setAsked(null)} />}
    </>
  )
}

function AskDialog({ ask, submissionId, item, onClose }: AskProps & { ask: Ask; onClose: () => void }) {
  const { t } = useTranslation('distribute/review')
  const form = useContractForm(bodyOf[ask], { submissionId, itemId: item.itemId, reason: '' })
  const options = {
    errors: 'form' as const,
    onDone: () => {
      notify({ tone: 'success', text: t(`ask.${ask}.done`) })
      onClose()
    },
  }
  const acts = {
    appeal: useAction(appealApi.appealRejection, options),
    expedite: useAction(appealApi.expediteReview, options),
  }
  return (
    <Modal visible header={t(`ask.${ask}.title`, { app: item.appName })} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={acts[ask]}
        submit={body => acts[ask].run({ body })}
        submitLabel={t(`ask.${ask}.verb`)}
        onCancel={onClose}
      >
        <p className="review-said">{t(`ask.${ask}.text`, { count: item.expeditesLeft })}</p>
        <TextAreaField of={form} name="reason" label={t(`ask.${ask}.reason`)} rows={5} />
      </ContractFormBox>
    </Modal>
  )
}
