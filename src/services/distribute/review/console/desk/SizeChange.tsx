import { useTranslation } from 'react-i18next'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'

/** A size now, and how it changed. */
export function SizeChange({ from, to }: { from: number; to: number }) {
  const { t } = useTranslation('distribute/review')
  const grown = to - from
  return (
    <span>
      <ByteSize value={to} />{' '}
      <span className="lg-soft">
        {grown === 0 ? (
          t('change.same')
        ) : (
          <>
            ({grown > 0 ? '+' : '−'}
            <ByteSize value={Math.abs(grown)} />)
          </>
        )}
      </span>
    </span>
  )
}
