import { lifeCycle } from '../../../kernel/life-cycle.ts'

export const recordalStates = ['NONE', 'CHECKING', 'MATCH', 'MISMATCH', 'NOT_FOUND', 'EXPIRED'] as const
export type RecordalState = (typeof recordalStates)[number]
export type RecordalAction = 'file' | 'match' | 'mismatch' | 'notFound' | 'expire'

export const limits = {
  entityLength: 1024,
  idLength: 64,
  numberLength: 64,
  evidence: 5,
  noteMin: 10,
  noteLength: 1000,
} as const

/** 0 a server in mainland China, 1 a server elsewhere, 2 an app without a network. */
export const dclTypes = { MAINLAND: 0, ELSEWHERE: 1, OFFLINE: 2 } as const
/** 1 company, 2 person, 3 institution. */
export const idTypes = { COMPANY: 1, PERSON: 2, INSTITUTION: 3 } as const

export const recordalCycle = lifeCycle<RecordalState, RecordalAction, 'isImpartial'>({
  entity: 'recordal',
  states: recordalStates,
  moves: [
    { from: [...recordalStates], action: 'file', to: 'CHECKING', may: 'recordal.edit', event: 'recordal.filed' },
    {
      from: ['CHECKING'],
      action: 'match',
      to: 'MATCH',
      may: 'review.decide',
      needs: ['isImpartial'],
      event: 'recordal.checked',
    },
    {
      from: ['CHECKING', 'MATCH'],
      action: 'mismatch',
      to: 'MISMATCH',
      may: 'review.decide',
      needs: ['isImpartial'],
      event: 'recordal.checked',
    },
    {
      from: ['CHECKING'],
      action: 'notFound',
      to: 'NOT_FOUND',
      may: 'review.decide',
      needs: ['isImpartial'],
      event: 'recordal.checked',
    },
    {
      from: ['MATCH'],
      action: 'expire',
      to: 'EXPIRED',
      may: 'review.decide',
      needs: ['isImpartial'],
      event: 'recordal.checked',
    },
  ],
})

/** The character of a province that a number begins with. */
const provinces = '京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼'
const numberForm = new RegExp(`^[${provinces}]ICP备\\d{8,10}号(-\\d+)?A$`)

/** The number of an app: a province, ICP备, 8 to 10 digits, 号, a service number where there is one, and A for apps. */
export function isRecordalNumber(text: string): boolean {
  return numberForm.test(text)
}

/** A number as people copy it: full width and blanks do not matter. */
export function tidyNumber(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, '').replace(/icp/i, 'ICP').replace(/a$/, 'A')
}

const creditSigns = '0123456789ABCDEFGHJKLMNPQRTUWXY'

/** A unified social credit code (GB 32100-2015): 18 signs, the last one weighs the others modulo 31. */
export function isCreditCode(text: string): boolean {
  if (!new RegExp(`^[${creditSigns}]{18}$`).test(text)) return false
  let weight = 1
  let sum = 0
  for (const sign of text.slice(0, 17)) {
    sum += creditSigns.indexOf(sign) * weight
    weight = (weight * 3) % 31
  }
  return creditSigns[(31 - (sum % 31)) % 31] === text[17]
}

const personWeights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** A resident identity number (GB 11643-1999): 17 digits with a date in them and a sign that weighs them modulo 11. */
export function isPersonNumber(text: string): boolean {
  if (!/^\d{17}[\dX]$/.test(text)) return false
  const [year, month, day] = [text.slice(6, 10), text.slice(10, 12), text.slice(12, 14)]
  const born = new Date(`${year}-${month}-${day}T00:00:00Z`)
  if (Number.isNaN(born.getTime()) || born.getUTCDate() !== Number(day)) return false
  const sum = personWeights.reduce((total, weight, at) => total + weight * Number(text[at]), 0)
  return '10X98765432'[sum % 11] === text[17]
}

export function isIdNumber(idType: number, text: string): boolean {
  return idType === idTypes.PERSON ? isPersonNumber(text) : isCreditCode(text)
}

/** What a filing says of the package; digests as people copy them, with colons or blanks. */
export interface Features {
  packageName: string
  certMd5: string
  publicKeyModulus: string
}

/** Hex without what separates it; a modulus may begin with a sign byte. */
export function tidyHex(text: string): string {
  return text
    .replace(/[\s:]/g, '')
    .toLowerCase()
    .replace(/^(0x)?(00)*/, '')
}

export interface Difference {
  field: 'packageName' | 'certMd5' | 'publicKeyModulus' | 'network'
  filed: string
  actual: string
}

/** Where what was filed is not what the package says; `actual` has null where the package has no such thing. */
export function differencesOf(
  filed: Features,
  actual: { packageName: string | null; certMd5: string | null; publicKeyModulus: string | null },
): Difference[] {
  const found: Difference[] = []
  if (actual.packageName !== null && filed.packageName.trim() !== actual.packageName) {
    found.push({ field: 'packageName', filed: filed.packageName, actual: actual.packageName })
  }
  for (const field of ['certMd5', 'publicKeyModulus'] as const) {
    const value = actual[field]
    if (value !== null && tidyHex(filed[field]) !== tidyHex(value)) {
      found.push({ field, filed: filed[field], actual: value })
    }
  }
  return found
}

const networkPermissions = ['android.permission.INTERNET', 'ohos.permission.INTERNET']
const onlineTypes = ['QUICK_APP', 'H5_QUICK', 'WEB']

/** Whether an app can use a network at all: by what it asks for, or by what it is. */
export function isNetworked(packageType: string, permissions: readonly { name: string }[]): boolean {
  return onlineTypes.includes(packageType) || permissions.some(one => networkPermissions.includes(one.name))
}

/** An identity number as it is shown: its ends only. */
export function masked(text: string): string {
  return text.length <= 4
    ? '*'.repeat(text.length)
    : `${text.slice(0, 2)}${'*'.repeat(text.length - 4)}${text.slice(-2)}`
}
