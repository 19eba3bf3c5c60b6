import Alert from '@cloudscape-design/components/alert'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { FileDrop } from '../../../../console/kit/FileDrop.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { isIdNumber, isRecordalNumber, limits, tidyNumber } from '../rules.ts'
import { api, fileCalls, type RecordalView } from './recordal-calls.ts'

const featureFields = ['packageName', 'certMd5', 'publicKeyModulus'] as const

/** Hands a filing in; what the package says is filled in, to be compared with what was really filed. */
export function FileDialog({ one, onClose }: { one: RecordalView; onClose: () => void }) {
  const { t } = useTranslation('distribute/recordal')
  const { appId, actual, revision } = one
  const [dclType, setDclType] = useState(Math.max(one.registeredDclType, 0))
  const [number, setNumber] = useState(one.recordalNumber ?? '')
  const [idType, setIdType] = useState(one.registeredIdType < 0 ? 1 : one.registeredIdType)
  const [idNumber, setIdNumber] = useState('')
  const [entity, setEntity] = useState(one.registeredEntity ?? 1)
  const [entityName, setEntityName] = useState(one.registeredEntityName)
  const [features, setFeatures] = useState({
    packageName: one.features?.packageName ?? actual?.packageName ?? '',
    certMd5: one.features?.certMd5 ?? actual?.certMd5 ?? '',
    publicKeyModulus: one.features?.publicKeyModulus ?? actual?.publicKeyModulus ?? '',
  })
  const [evidence, setEvidence] = useState(one.evidence.map(({ objectId, fileName }) => ({ objectId, fileName })))
  const [refusal, setRefusal] = useState('')
  const act = useAction(api.checkRecordal, { errors: 'form', onDone: onClose })
  const isOffline = dclType === 2
  const canKeep = one.registeredIdNumber !== null && idType === one.registeredIdType
  const isNumberWrong = number !== '' && !isRecordalNumber(tidyNumber(number))
  const isIdWrong = idNumber !== '' && !isIdNumber(idType, idNumber.trim().toUpperCase())
  const isWhole =
    isOffline ||
    (number !== '' && !isNumberWrong && !isIdWrong && (idNumber !== '' || canKeep) && entityName.trim() !== '')

  const send = async (files: readonly File[]) => {
    setRefusal('')
    for (const file of files.slice(0, limits.evidence - evidence.length)) {
      try {
        const { urlsInfo } = await fileCalls.uploadObject({
          query: { fileName: file.name, bizTag: 'app_qual', size: file.size },
          body: file,
        })
        const [stored] = urlsInfo
        if (stored) setEvidence(all => [...all, { objectId: stored.objectId, fileName: file.name }])
      } catch (error) {
        setRefusal(errorText(error))
      }
    }
  }
  const submit = () => {
    const shared = { appId, registeredDclType: dclType, ...(revision !== null && { revision }) }
    if (isOffline) return void act.run({ body: shared })
    return void act.run({
      body: {
        ...shared,
        recordalNumber: number,
        registeredIdType: idType,
        ...(idNumber !== '' && { registeredIdNumber: idNumber }),
        registeredEntity: entity,
        registeredEntityName: entityName,
        features,
        evidence: evidence.map(file => file.objectId),
      },
    })
  }
  return (
    <DialogBox
      title={t('title')}
      verb={t('handIn')}
      action="checkRecordal"
      size="large"
      isRunning={act.isRunning}
      canSubmit={isWhole}
      refusal={refusal || (act.error && errorText(act.error))}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormField label={t('dclType')}>
        <RadioGroup
          value={String(dclType)}
          items={['0', '1', '2'].map(value => ({
            value,
            label: t(`dclTypes.${value}`),
            disabled: value === '2' && actual?.isNetworked === true,
            ...(value === '2' && actual?.isNetworked && { description: t('isNetworked') }),
          }))}
          onChange={({ detail }) => setDclType(Number(detail.value))}
        />
      </FormField>
      {!isOffline && (
        <SpaceBetween size="m">
          <FormField
            label={t('number')}
            constraintText="京ICP备12345678号-1A"
            errorText={isNumberWrong ? t('numberWrong') : undefined}
          >
            <Input value={number} spellcheck={false} onChange={({ detail }) => setNumber(detail.value)} />
          </FormField>
          <FormField label={t('entity')}>
            <Input
              value={entityName}
              onChange={({ detail }) => setEntityName(detail.value.slice(0, limits.entityLength))}
            />
          </FormField>
          <RadioGroup
            ariaLabel={t('entity')}
            value={String(entity)}
            items={['1', '2'].map(value => ({ value, label: t(`entities.${value}`) }))}
            onChange={({ detail }) => setEntity(Number(detail.value))}
          />
          <FormField label={t('idType')}>
            <Select
              selectedOption={{ value: String(idType), label: t(`idTypes.${idType}`) }}
              options={['1', '2', '3'].map(value => ({ value, label: t(`idTypes.${value}`) }))}
              expandToViewport
              onChange={({ detail }) => setIdType(Number(detail.selectedOption.value))}
            />
          </FormField>
          <FormField
            label={t('idNumber')}
            constraintText={canKeep ? t('idKept', { number: one.registeredIdNumber }) : undefined}
            errorText={isIdWrong ? t('idWrong') : undefined}
          >
            <Input
              value={idNumber}
              spellcheck={false}
              autoComplete={false}
              onChange={({ detail }) => setIdNumber(detail.value.slice(0, limits.idLength))}
            />
          </FormField>
          <Alert type="info">{t('featuresText')}</Alert>
          {featureFields.map(field => (
            <FormField key={field} label={t(`fields.${field}`)}>
              <Input
                value={features[field]}
                spellcheck={false}
                onChange={({ detail }) => setFeatures(before => ({ ...before, [field]: detail.value }))}
              />
            </FormField>
          ))}
          <FormField label={t('evidence')} constraintText={evidence.map(file => file.fileName).join(', ')}>
            <FileDrop
              label={t('chooseEvidence')}
              hint={t('evidenceHint')}
              accept="image/png,image/jpeg,image/webp,application/pdf"
              isMultiple
              isDisabled={evidence.length >= limits.evidence}
              onFiles={files => void send(files)}
            />
          </FormField>
        </SpaceBetween>
      )}
    </DialogBox>
  )
}
