import Link from '@cloudscape-design/components/link'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { linkOf } from '../../../../console/address.ts'
import { useCall } from '../../../../console/use-call.ts'
import { openableLink } from '../../../../kernel/links.ts'
import { board } from './menu-calls.ts'
import { useLanguage } from './shown-language.ts'

/** The slots of this turn; seeing and following them is told once a turn. */
export function Billboard() {
  const { t } = useTranslation('ground/menu')
  const language = useLanguage()
  const found = useCall(board.getBillboard, { query: { count: 2 } }, { staleTime: 60_000 })
  const told = useRef('')
  const slots = found.data?.list ?? []
  const shown = found.data ? `${found.data.untilAt} ${slots.map(one => one.slotId).join()}` : ''

  useEffect(() => {
    const slotIds = shown.split(' ')[1]?.split(',').filter(Boolean) ?? []
    if (slotIds.length === 0 || told.current === shown) return
    told.current = shown
    // Counting must never be in anybody's way.
    board.recordImpressions({ body: { slotIds, kind: 'shown' } }).catch(() => undefined)
  }, [shown])

  if (slots.length === 0) return null
  return (
    <section aria-label={t('panels.billboard')} className="menu-slots">
      {slots.map(slot => (
        <div key={slot.slotId} className={`menu-slot menu-slot-${slot.tone}`}>
          <strong>{slot.title[language]}</strong>
          {slot.text[language] && <span>{slot.text[language]}</span>}
          {mayOpen(slot.href) && (
            <Link
              href={linkOf(slot.href)}
              {...(slot.href.startsWith('#') ? {} : { external: true, target: '_blank' })}
              ariaLabel={t('panels.learnMoreOf', { title: slot.title[language] })}
              onFollow={() => {
                board.recordImpressions({ body: { slotIds: [slot.slotId], kind: 'clicked' } }).catch(() => undefined)
              }}
            >
              {t('panels.learnMore')}
            </Link>
          )}
        </div>
      ))}
    </section>
  )
}

/** A page of this console, or what the rule of links lets open. */
function mayOpen(href: string): boolean {
  return href.startsWith('#') || openableLink(href, location.origin) !== null
}
