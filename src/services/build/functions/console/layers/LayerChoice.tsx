import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../../../console/use-call.ts'
import { limits } from '../../rules.ts'
import { layersApi } from '../function-calls.ts'

interface Chosen {
  layerId: string
  name: string
  number: number
}

interface LayerChoiceProps {
  projectId: string
  chosen: readonly Chosen[]
  onChange: (chosen: Chosen[]) => void
}

/** The layers of a function in their order: of one file in several, the last one counts. */
export function LayerChoice({ projectId, chosen, onChange }: LayerChoiceProps) {
  const { t } = useTranslation('build/functions')
  const found = useCall(layersApi.listLayers, { query: { projectId, pageSize: 100 } })
  const known = found.data?.list ?? []
  const others = known.filter(one => one.newest && !chosen.some(own => own.layerId === one.layerId))
  const numbersOf = ({ layerId, number }: Chosen) => {
    const newest = known.find(one => one.layerId === layerId)?.newest?.number ?? number
    return Array.from({ length: Math.min(newest, 50) }, (_, at) => String(newest - at))
  }
  const add = (layerId: string) => {
    const layer = others.find(one => one.layerId === layerId)
    if (layer?.newest) onChange([...chosen, { layerId, name: layer.name, number: layer.newest.number }])
  }
  return (
    <FormField label={t('layers.title')} constraintText={t('layers.chooseHint')} stretch>
      <SpaceBetween size="xs">
        {chosen.map((one, at) => (
          <div key={one.layerId} className="fn-layer">
            <span translate="no">
              {at + 1}. {one.name}
            </span>
            <Select
              ariaLabel={t('version')}
              selectedOption={{ value: String(one.number), label: String(one.number) }}
              options={numbersOf(one).map(value => ({ value, label: value }))}
              onChange={({ detail }) =>
                onChange(
                  chosen.map(own => (own === one ? { ...own, number: Number(detail.selectedOption.value) } : own)),
                )
              }
            />
            <Button
              formAction="none"
              iconName="close"
              variant="icon"
              ariaLabel={t('removeFile', { path: one.name })}
              onClick={() => onChange(chosen.filter(own => own !== one))}
            />
          </div>
        ))}
        {chosen.length < limits.layers && (
          <div className="fn-qualifier">
            <Select
              selectedOption={null}
              placeholder={t('layers.choose')}
              empty={t('layers.empty')}
              options={others.map(one => ({ value: one.layerId, label: one.name }))}
              onChange={({ detail }) => add(detail.selectedOption.value ?? '')}
            />
          </div>
        )}
      </SpaceBetween>
    </FormField>
  )
}
