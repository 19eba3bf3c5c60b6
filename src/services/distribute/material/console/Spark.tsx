import { useTranslation } from 'react-i18next'
import type { TestInList } from './material-calls.ts'

/** What came in on the last days, as bars; the words say the same. */
export function Spark({ days }: { days: TestInList['days'] }) {
  const { t } = useTranslation('distribute/material')
  if (days.length === 0) return <>–</>
  const most = Math.max(...days.map(day => day.impressions), 1)
  const total = days.reduce((sum, day) => sum + day.impressions, 0)
  return (
    <svg className="material-spark" viewBox="0 0 84 20" role="img" aria-label={t('spark', { count: total })}>
      {days.slice(-14).map(({ day, impressions }, at) => {
        const height = Math.max(1, (impressions / most) * 20)
        return <rect key={day} x={at * 6} y={20 - height} width={4} height={height} rx={1} />
      })}
    </svg>
  )
}
