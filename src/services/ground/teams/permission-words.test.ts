import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { permissionMatrix } from './rules.ts'

it.each(['zh', 'en', 'ru'])('every permission of a team and every group of them has words in %s', language => {
  const file = new URL(`console/i18n/${language}.json`, import.meta.url)
  const { permissions, permissionGroups } = JSON.parse(readFileSync(file, 'utf8'))
  const names = Object.keys(permissionMatrix)
  expect(names.filter(name => !permissions[name.replace('.', '_')])).toEqual([])
  expect(names.filter(name => !permissionGroups[name.split('.')[0] ?? ''])).toEqual([])
})
