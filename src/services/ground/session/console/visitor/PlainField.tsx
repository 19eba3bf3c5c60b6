interface PlainFieldProps {
  name: string
  label: string
  type?: 'text' | 'email'
  autoComplete: string
  maxLength: number
  inputMode?: 'numeric' | 'email' | 'text'
  isOptional?: boolean
}

export function PlainField({
  name,
  label,
  type = 'text',
  autoComplete,
  maxLength,
  inputMode,
  isOptional,
}: PlainFieldProps) {
  return (
    <>
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        name={name}
        type={type}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={maxLength}
        required={!isOptional}
        {...(inputMode && { inputMode })}
      />
    </>
  )
}
