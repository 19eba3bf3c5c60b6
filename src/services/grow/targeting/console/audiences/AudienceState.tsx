import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { AudienceView } from '../../audiences/contract.ts'

/** How an audience keeps up with its users. */
export function AudienceState({ audience }: { audience: AudienceView }) {
  const { t } = useTranslation('grow/targeting')
  const { problem, refreshEvery, refreshedAt, type } = audience
  const isStatic = type === 'STATIC'
  if (problem !== null) return <StatusBadge tone="bad" text={t('audiences.failed')} />
  if (refreshEvery === 'realtime') return <StatusBadge tone="good" text={t('refreshes.realtime')} />
  if (refreshedAt === null) {
    return <StatusBadge tone="off" text={t(isStatic ? 'audiences.noUpload' : 'audiences.notYet')} />
  }
  return <StatusBadge tone="good" text={isStatic ? t('audiences.uploaded') : t(`refreshes.${refreshEvery}`)} />
}
