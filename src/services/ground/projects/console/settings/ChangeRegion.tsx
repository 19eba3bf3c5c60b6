import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Checkbox from '@cloudscape-design/components/checkbox'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import type { ConsequenceKind } from '../../region/rules.ts'
import { type RegionView, regionApi } from '../project-calls.ts'

interface ChangeRegionProps {
  region: RegionView
  wanted: RegionView['choices'][number]
  onClose: () => void
}

/** Each consequence is agreed to by itself; then the person proves who they are, and only then anything moves. */
export function ChangeRegion({ region, wanted, onClose }: ChangeRegionProps) {
  const { t } = useTranslation('ground/projects')
  const [agreed, setAgreed] = useState<readonly ConsequenceKind[]>([])
  const onDone = () => {
    notify({ tone: 'success', text: t('region.done', { zone: t(`zones.${wanted.zone}`) }) })
    onClose()
  }
  const set = useAction(regionApi.setRegion, { onDone })
  const verify = useAction(regionApi.verifyChange)
  const move = useAction(regionApi.changeRegion, { onDone })
  const { projectId, revision } = region
  const to = { projectId, zone: wanted.zone }
  const isAgreed = wanted.consequences.every(one => agreed.includes(one.kind))
  const change = async () => {
    if (wanted.consequences.length === 0) return set.run({ body: { ...to, revision } })
    const verified = await verify.run({ body: to })
    if (!verified) return undefined
    return move.run({ body: { ...to, revision, ticket: verified.ticket, acknowledged: [...agreed] } })
  }
  return (
    <DialogBox
      title={t('region.changeTo', { zone: t(`zones.${wanted.zone}`) })}
      verb={t('region.change')}
      action="change-region"
      isRunning={set.isRunning || verify.isRunning || move.isRunning}
      canSubmit={isAgreed}
      onSubmit={() => void change()}
      onClose={onClose}
    >
      {wanted.consequences.length === 0 ? t('region.freeText') : <Alert type="warning">{t('region.proof')}</Alert>}
      {wanted.consequences.map(({ kind, count }) => (
        <Checkbox
          key={kind}
          checked={agreed.includes(kind)}
          onChange={({ detail }) => setAgreed(detail.checked ? [...agreed, kind] : agreed.filter(one => one !== kind))}
        >
          {t(`region.kinds.${kind}`, { count })}
        </Checkbox>
      ))}
      {wanted.endedServices.length > 0 && (
        <Box color="text-body-secondary">{t('region.ended', { names: wanted.endedServices.join(', ') })}</Box>
      )}
    </DialogBox>
  )
}
