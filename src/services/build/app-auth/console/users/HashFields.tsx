import ColumnLayout from '@cloudscape-design/components/column-layout'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { useTranslation } from 'react-i18next'
import { type HashAlgorithm, hashAlgorithms } from '../../rules.ts'

export interface HashWanted {
  algorithm: HashAlgorithm | ''
  [name: string]: string
}

type Field =
  | 'key'
  | 'rounds'
  | 'memoryCost'
  | 'saltSeparator'
  | 'blockSize'
  | 'parallelization'
  | 'keyLength'
  | 'order'
  | 'encoding'

const texts: readonly string[] = ['key', 'saltSeparator', 'order', 'encoding']

function fieldsOf(algorithm: HashWanted['algorithm']): Field[] {
  if (algorithm === '' || algorithm === 'ARGON2' || algorithm === 'BCRYPT') return []
  if (algorithm === 'SCRYPT') return ['key', 'saltSeparator', 'rounds', 'memoryCost']
  if (algorithm === 'STANDARD_SCRYPT') return ['memoryCost', 'blockSize', 'parallelization', 'keyLength', 'encoding']
  if (algorithm.startsWith('PBKDF2')) return ['rounds', 'encoding']
  if (algorithm.startsWith('HMAC')) return ['key', 'order', 'encoding']
  return ['rounds', 'order', 'encoding']
}

const choices: Partial<Record<Field, readonly string[]>> = {
  order: ['PASSWORD_FIRST', 'SALT_FIRST'],
  encoding: ['BASE64', 'HEX'],
}

/** The parameters as the call takes them: numbers are numbers, what is empty is left out. */
export function hashOf(wanted: HashWanted) {
  const { algorithm } = wanted
  const given = fieldsOf(algorithm).flatMap(name => {
    const value = wanted[name] ?? ''
    if (value === '') return []
    return [[name, texts.includes(name) ? value : Number(value)]]
  })
  return { algorithm: algorithm === '' ? ('ARGON2' as const) : algorithm, ...Object.fromEntries(given) }
}

/** How the passwords of the file were hashed. */
export function HashFields({ value, onChange }: { value: HashWanted; onChange: (value: HashWanted) => void }) {
  const { t } = useTranslation('build/app-auth')
  const none = { value: '', label: t('import.noPasswords') }
  const options = [none, ...hashAlgorithms.map(one => ({ value: one, label: one.replaceAll('_', ' ') }))]
  const fields = fieldsOf(value.algorithm)
  return (
    <>
      <FormField label={t('import.hash')}>
        <Select
          selectedOption={options.find(one => one.value === value.algorithm) ?? none}
          options={options}
          onChange={({ detail }) =>
            onChange({ algorithm: hashAlgorithms.find(one => one === detail.selectedOption.value) ?? '' })
          }
        />
      </FormField>
      {fields.length > 0 && (
        <ColumnLayout columns={2}>
          {fields.map(name => {
            const offered = choices[name]?.map(one => ({ value: one, label: t(`hashChoices.${one}`) }))
            const set = (text: string) => onChange({ ...value, [name]: text })
            return (
              <FormField key={name} label={t(`hashFields.${name}`)}>
                {offered ? (
                  <Select
                    selectedOption={offered.find(one => one.value === value[name]) ?? offered[0] ?? null}
                    options={offered}
                    onChange={({ detail }) => set(detail.selectedOption.value ?? '')}
                  />
                ) : (
                  <Input
                    value={value[name] ?? ''}
                    type={texts.includes(name) ? 'text' : 'number'}
                    onChange={({ detail }) => set(detail.value)}
                  />
                )}
              </FormField>
            )
          })}
        </ColumnLayout>
      )}
    </>
  )
}
