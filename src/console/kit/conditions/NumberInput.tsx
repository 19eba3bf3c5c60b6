import Input from '@cloudscape-design/components/input'
import { useEffect, useState } from 'react'

interface NumberInputProps {
  value: number
  label: string
  unit?: string | undefined
  isDisabled: boolean
  onChange: (value: number) => void
}

/** A number as it is typed: half of one, such as `-` or `1.`, stays on screen until it is whole. */
export function NumberInput({ value, label, unit, isDisabled, onChange }: NumberInputProps) {
  const [text, setText] = useState(String(value))
  useEffect(() => {
    setText(shown => (Number(shown) === value && shown !== '' ? shown : String(value)))
  }, [value])
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text))
  return (
    <span className="lg-conditions-number">
      <Input
        value={text}
        inputMode="decimal"
        ariaLabel={label}
        placeholder={label}
        invalid={!isNumber}
        disabled={isDisabled}
        onChange={({ detail }) => {
          setText(detail.value)
          if (detail.value.trim() !== '' && Number.isFinite(Number(detail.value))) onChange(Number(detail.value))
        }}
      />
      {unit}
    </span>
  )
}
