import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { api, type DeliveryView } from './webhook-calls.ts'

/** Sends a delivery again, under the id it had. */
export function Replay({ delivery }: { delivery: DeliveryView }) {
  const { t } = useTranslation('ground/webhooks')
  const replay = useAction(api.replayDelivery, {
    onDone: () => notify({ tone: 'success', text: t('replay.one') }),
  })
  return (
    <Button
      data-action="replay"
      variant="inline-link"
      loading={replay.isRunning}
      ariaLabel={`${t('replay.again')}: ${delivery.type} ${delivery.deliveryId}`}
      onClick={() => void replay.run({ params: { deliveryId: delivery.deliveryId } })}
    >
      {t('replay.again')}
    </Button>
  )
}
