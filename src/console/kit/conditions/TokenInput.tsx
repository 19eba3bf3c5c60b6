import Input from '@cloudscape-design/components/input'
import TokenGroup from '@cloudscape-design/components/token-group'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

interface TokenInputProps {
  values: readonly string[]
  label: string
  placeholder: string
  isDisabled: boolean
  onChange: (values: string[]) => void
}

/** A list of texts: each is added with Enter or when the field is left, also many pasted as lines, and taken out by its cross. */
export function TokenInput({ values, label, placeholder, isDisabled, onChange }: TokenInputProps) {
  const { t } = useTranslation('kit/conditions')
  const [text, setText] = useState('')
  const add = (typed: string) => {
    const fresh = typed.split(/[\n\t]/).map(one => one.trim())
    const next = [...new Set([...values, ...fresh])].filter(one => one !== '')
    if (next.length > values.length) onChange(next)
    setText('')
  }
  return (
    <div translate="no">
      <Input
        value={text}
        ariaLabel={label}
        placeholder={placeholder}
        disabled={isDisabled}
        onChange={({ detail }) => setText(detail.value)}
        onBlur={() => add(text)}
        onKeyDown={event => {
          if (event.detail.key !== 'Enter') return
          event.preventDefault()
          add(text)
        }}
      />
      <TokenGroup
        items={values.map(value => ({
          label: value,
          dismissLabel: t('removeValue', { value }),
          disabled: isDisabled,
        }))}
        limit={12}
        onDismiss={({ detail }) => onChange(values.filter((_one, at) => at !== detail.itemIndex))}
      />
    </div>
  )
}
