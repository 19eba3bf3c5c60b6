import { expect, test } from 'vitest'
import { fileSizeText } from './text.ts'

test('a size below 1 MiB is in KB, below 1 GiB in MB, else in GB, with two decimals', () => {
  expect(fileSizeText(0)).toBe('0.00 KB')
  expect(fileSizeText(1024 ** 2 - 1)).toBe('1024.00 KB')
  expect(fileSizeText(1024 ** 2)).toBe('1.00 MB')
  expect(fileSizeText(1024 ** 3 - 1024 ** 2)).toBe('1023.00 MB')
  expect(fileSizeText(1.5 * 1024 ** 3)).toBe('1.50 GB')
  expect(fileSizeText(5000 * 1024 ** 3)).toBe('5000.00 GB')
})
