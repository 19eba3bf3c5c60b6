import './palette.css'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { palette } from './open-palette.ts'
import { useEntries } from './use-entries.ts'

/** The command palette: one field over everything that can be opened (ARIA: a combobox with a list box). */
export default function Palette() {
  const { t } = useTranslation()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const { groups, isSearching } = useEntries(typed)
  const entries = groups.flatMap(group => group.entries)
  const at = Math.min(chosen, entries.length - 1)
  const active = entries[at]
  const optionId = (key: string) => `${id}-${entries.findIndex(entry => entry.key === key)}`

  useEffect(() => {
    const { current } = dialog
    if (current && !current.open) current.showModal()
  }, [])
  useEffect(() => {
    if (active) document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [active, at, id])

  const close = () => palette.set(false)
  const open = (href: string) => {
    close()
    location.hash = href
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || entries.length === 0) return
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 }
    const step = steps[event.key]
    if (event.key === 'Enter' && active) {
      event.preventDefault()
      open(active.href)
    } else if (step !== undefined) {
      event.preventDefault()
      const isPage = event.key.startsWith('Page')
      setChosen(isPage ? Math.max(0, Math.min(step, entries.length - 1)) : (step + entries.length) % entries.length)
    }
  }
  const isEmpty = entries.length === 0
  const said = isSearching
    ? t('palette.searching')
    : isEmpty
      ? t('palette.nothing')
      : t('palette.found', { count: entries.length })

  return (
    <dialog ref={dialog} className="lg-palette" aria-label={t('palette.title')} onClose={close}>
      <input
        type="text"
        className="lg-palette-field"
        role="combobox"
        aria-expanded={!isEmpty}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active && `${id}-${at}`}
        aria-label={t('palette.field')}
        placeholder={t('palette.field')}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        value={typed}
        onKeyDown={onKeyDown}
        onChange={event => {
          setTyped(event.target.value)
          setChosen(0)
        }}
      />
      <div id={`${id}-list`} role="listbox" aria-label={t('palette.results')} className="lg-palette-list">
        {groups.map(group => (
          // biome-ignore lint/a11y/useSemanticElements: groups of a list box are named by ARIA
          <div key={group.key} role="group" aria-labelledby={`${id}-${group.key}`}>
            <div id={`${id}-${group.key}`} className="lg-palette-group" role="presentation">
              {group.title}
            </div>
            {group.entries.map(entry => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
              <div
                key={entry.key}
                id={optionId(entry.key)}
                role="option"
                tabIndex={-1}
                aria-selected={entry === active}
                className="lg-palette-entry"
                onClick={() => open(entry.href)}
                onPointerMove={() => setChosen(entries.indexOf(entry))}
              >
                <span className="lg-palette-name">{entry.name}</span>
                <span className="lg-soft">{entry.detail}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
      <div className="lg-palette-foot">
        <span role="status">{said}</span>
        <span className="lg-palette-keys" aria-hidden="true">
          {t('palette.keys')}
        </span>
      </div>
    </dialog>
  )
}
