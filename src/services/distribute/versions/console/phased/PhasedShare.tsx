import { useTranslation } from 'react-i18next'
import { shownLocale } from '../../../../../console/shown.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { curve } from '../../phased/rules.ts'
import { fieldApi, type PhasedView } from '../version-calls.ts'
import { Meter } from './Meter.tsx'

/** Small shares would not be seen beside large ones; the root of the share is. */
const heightOf = (basisPoints: number) => `${Math.round(Math.sqrt(basisPoints / 10_000) * 100)}%`

/** The share as a picture: the days of the curve with the one it is at, whose turn it is, and who has it. */
export function PhasedShare({ phased, isLive }: { phased: PhasedView; isLive: boolean }) {
  const { t } = useTranslation('distribute/versions')
  const { appId, versionId, kind, day, percent } = phased
  const field = useCall(fieldApi.listFieldVersions, { query: { appId, days: 1 } }, { enabled: phased.startAt !== null })
  const share = (value: number) =>
    new Intl.NumberFormat(shownLocale(), { style: 'percent', maximumFractionDigits: 2 }).format(value)
  const all = field.data?.active ?? 0
  const have = field.data?.list.find(one => one.versionId === versionId)?.active ?? 0
  const offered = Number(percent) / 100
  const telling = Math.max(0, ...phased.readings.map(one => one.devices))
  return (
    <div className="phased-share">
      {kind === 'CURVE7' && (
        <ol className="phased-curve" aria-label={t('phased.curve')}>
          {curve.map((basisPoints, index) => (
            <li
              key={basisPoints}
              data-when={(day ?? 0) > index + 1 ? 'past' : day === index + 1 ? 'now' : 'ahead'}
              {...(day === index + 1 && { 'aria-current': 'step' as const })}
            >
              <span className="phased-bar">
                <span style={{ height: heightOf(basisPoints) }} />
              </span>
              <strong>{share(basisPoints / 10_000)}</strong>
              <span>{t('phased.day', { day: index + 1 })}</span>
            </li>
          ))}
        </ol>
      )}
      <Meter label={isLive ? t('phased.offered') : t('phased.offeredLast')} share={offered} text={share(offered)} />
      {phased.startAt !== null && (
        <Meter
          label={t('phased.reached')}
          share={all === 0 ? 0 : have / all}
          text={
            all === 0
              ? telling === 0
                ? t('phased.nobodyTold')
                : t('phased.someTold', { count: telling, shown: telling.toLocaleString(shownLocale()) })
              : t('phased.reachedOf', {
                  share: share(have / all),
                  have: have.toLocaleString(shownLocale()),
                  count: all,
                })
          }
        />
      )}
    </div>
  )
}
