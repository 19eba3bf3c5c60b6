import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { useEffect, useRef } from 'react'
import type { FieldOf } from '../../schema/contract.ts'

interface CellInputProps {
  field: FieldOf
  value: string
  onOpen: () => void
  onChange: (text: string) => void
}

/** A value where it stands in the grid; of yes and no there is only the choice. */
export function CellInput({ field: { fieldName, fieldType }, value, onOpen, onChange }: CellInputProps) {
  const opened = useRef(onOpen)
  useEffect(() => opened.current(), [])
  if (fieldType === 'Boolean') {
    return (
      <Select
        autoFocus
        expandToViewport
        ariaLabel={fieldName}
        selectedOption={{ value, label: value || 'null' }}
        options={['true', 'false', ''].map(one => ({ value: one, label: one || 'null' }))}
        onChange={({ detail }) => onChange(detail.selectedOption.value ?? '')}
      />
    )
  }
  return (
    <Input
      autoFocus
      ariaLabel={fieldName}
      value={value}
      spellcheck={false}
      onChange={({ detail }) => onChange(detail.value)}
    />
  )
}
