import { afterAll } from 'vitest'
import { closeBrowser } from './browser.ts'

/** The looks of a file share one browser, each with a profile of its own; it ends with the file. */
afterAll(closeBrowser)
