import Checkbox from '@cloudscape-design/components/checkbox'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { phasedLimits } from '../../phased/rules.ts'
import { InstantInput } from '../InstantInput.tsx'

interface PhaseEndProps {
  value: number | null
  onChange: (value: number | null) => void
}

/** A share by hand may have an end; not complete by then, the release is cancelled. */
export function PhaseEnd({ value, onChange }: PhaseEndProps) {
  const { t } = useTranslation('distribute/versions')
  const [first] = useState(() => Date.now() + 14 * 86_400_000)
  return (
    <div>
      <Checkbox
        checked={value !== null}
        description={t('phased.endText', { days: phasedLimits.endLatestMs / 86_400_000 })}
        onChange={({ detail }) => onChange(detail.checked ? first : null)}
      >
        {t('phased.endsAt')}
      </Checkbox>
      {value !== null && <InstantInput value={value} onChange={at => onChange(at ?? first)} />}
    </div>
  )
}
