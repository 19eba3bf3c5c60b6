import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../../../../kernel/contract.ts'
import type { functionTesting } from '../../testing/contract.ts'
import '../functions.css'

type LiveLine = Answer<typeof functionTesting.calls.listLiveLines>['list'][number]

/** How near the end it still follows, pixels. */
const nearEnd = 40

/** Lines, the newest last. It follows them until somebody scrolls up to read. */
export function LineTail({ lines }: { lines: readonly LiveLine[] }) {
  const { t, i18n } = useTranslation('build/functions')
  const box = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const last = lines.at(-1)?.lineId
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows with each line that comes
  useLayoutEffect(() => {
    const { current } = box
    if (current && follows.current) current.scrollTop = current.scrollHeight
  }, [last])
  const time = new Intl.DateTimeFormat(i18n.resolvedLanguage, { timeStyle: 'medium', hourCycle: 'h23' })
  return (
    <div
      ref={box}
      className="fn-lines"
      role="log"
      aria-label={t('live.title')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by keys
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < nearEnd
      }}
    >
      <ol>
        {lines.map(({ lineId, at, level, version, line, requestId, end }) => (
          <li key={lineId} data-level={level} data-end={end !== null} title={requestId ?? undefined}>
            <time>{time.format(at)}</time>{' '}
            <span className="lg-soft" translate="no">
              {version}
            </span>{' '}
            {end && <b>{`${t(`outcomes.${end.outcome}`)} · ${t('ms', { value: end.durationMs })} `}</b>}
            <span translate="no">{line}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}
