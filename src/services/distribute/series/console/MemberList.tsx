import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { StatusBadge, type Tone } from '../../../../console/kit/StatusBadge.tsx'
import type { PrivatePhase } from '../rules.ts'
import type { SeriesView } from './series-calls.ts'

const tones: Readonly<Record<PrivatePhase, Tone>> = { NONE: 'off', CLOSED: 'info', PHASED: 'running', PUBLIC: 'good' }

interface MemberListProps {
  one: SeriesView
  isRunning: boolean
  onRemove: (appId: string) => void
}

/** The editions, the main one first, with what the public has of each. */
export function MemberList({ one, isRunning, onRemove }: MemberListProps) {
  const { t } = useTranslation('distribute/series')
  return (
    <ul className="series-members">
      {one.members.map(member => (
        <li key={member.appId}>
          <div>
            <Link href={hrefOf('/apps/$appId', { appId: member.appId })}>
              <span translate="no">{member.name}</span>
            </Link>
            <div className="lg-soft">
              {t(`types.${member.packageType}`)} · {member.deviceTypes.map(type => t(`devices.${type}`)).join(', ')}
            </div>
          </div>
          <span>{t(`roles.${member.role}`)}</span>
          <StatusBadge tone={tones[member.phase]} text={t(`phases.${member.phase}`)} />
          {one.canEdit && (member.role === 'SUB' || one.members.length === 1) ? (
            <Button
              variant="inline-link"
              ariaLabel={`${t('takeOut')}: ${member.name}`}
              loading={isRunning}
              onClick={() => onRemove(member.appId)}
            >
              {t('takeOut')}
            </Button>
          ) : (
            <span />
          )}
          {member.uncoveredIn.length > 0 && (
            <p className="lg-soft">{t('uncovered', { countries: member.uncoveredIn.join(', ') })}</p>
          )}
        </li>
      ))}
    </ul>
  )
}
