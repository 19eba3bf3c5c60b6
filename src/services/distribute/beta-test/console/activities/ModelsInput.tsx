import Input from '@cloudscape-design/components/input'
import { useState } from 'react'

interface ModelsInputProps {
  value: string[]
  onChange: (models: string[]) => void
}

/** Device models in one line, with commas between them. */
export function ModelsInput({ value, onChange }: ModelsInputProps) {
  const [text, setText] = useState(() => value.join(', '))
  return (
    <Input
      value={text}
      spellcheck={false}
      placeholder="Pixel 9, Mate 70"
      onChange={({ detail }) => {
        setText(detail.value)
        const models = detail.value.split(/[,，、\n]/).map(model => model.trim())
        onChange([...new Set(models.filter(Boolean))])
      }}
    />
  )
}
