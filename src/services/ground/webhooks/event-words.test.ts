import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { eventTypes } from './event-types.ts'

it.each(['zh', 'en', 'ru'])('every event type and its group have words in %s', language => {
  const file = new URL(`console/i18n/${language}.json`, import.meta.url)
  const { groups, types } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>
  const silent = eventTypes.filter(({ type }) => {
    const group = type.slice(0, type.indexOf('.'))
    return !groups?.[group] || !types?.[type.replaceAll('.', '_')]
  })
  expect(silent).toEqual([])
})
