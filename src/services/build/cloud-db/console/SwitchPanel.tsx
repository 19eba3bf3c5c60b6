import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ZoneName } from '../../../../console/kit/ZoneName.tsx'
import { may } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import type { ProductInfo } from '../contract.ts'
import { databaseApi } from './database-calls.ts'

/** Switches the database on, with agreement the first time, or off; rows stay. */
export function SwitchPanel({ info }: { info: ProductInfo }) {
  const { t } = useTranslation('build/cloud-db')
  const [isOpen, setOpen] = useState(false)
  const [agrees, setAgrees] = useState(false)
  const change = useAction(databaseApi.switchProduct, { onDone: () => setOpen(false) })
  const { projectId, enabled } = info
  if (!may('cloudDb.edit')) return enabled ? null : <EmptyState title={t('switch.off')} text={t('switch.offText')} />
  const isFirst = info.revision === 0
  const open = (
    <Button
      {...(enabled ? { variant: 'normal' as const } : { variant: 'primary' as const })}
      onClick={() => setOpen(true)}
      data-action="cloudDb.switch"
    >
      {t(enabled ? 'switch.turnOff' : 'switch.turnOn')}
    </Button>
  )
  return (
    <>
      {enabled ? open : <EmptyState title={t('switch.off')} text={t('switch.offText')} action={open} />}
      {isOpen && (
        <DialogBox
          title={t(enabled ? 'switch.turnOff' : 'switch.turnOn')}
          verb={t(enabled ? 'switch.turnOff' : 'switch.turnOn')}
          isRunning={change.isRunning}
          canSubmit={enabled || !isFirst || agrees}
          onClose={() => setOpen(false)}
          onSubmit={() => void change.run({ body: { projectId, enabled: !enabled, ...(!enabled && { agree: true }) } })}
        >
          <div>{t(enabled ? 'switch.turnOffText' : 'switch.turnOnText')}</div>
          {!enabled && isFirst && (
            <Checkbox checked={agrees} onChange={({ detail }) => setAgrees(detail.checked)}>
              {t('switch.agree')} <ZoneName zone={info.region as ZoneId} />
            </Checkbox>
          )}
        </DialogBox>
      )}
    </>
  )
}
