/** What a cell of an export holds; null is empty. Dates go in as ISO text, so that no reader shifts them. */
export type Cell = string | number | null

/** The two files an export can be. */
export const sheetFormats = ['csv', 'xlsx'] as const
export type SheetFormat = (typeof sheetFormats)[number]

/** What spreadsheet programs take for the beginning of a formula. */
const formulaSign = /[=+\-@]/

/**
 * The text of an XLSX cell (specification, section 5): one that starts with =, +, - or @ is wrapped in quotes with a
 * leading tab, and the quotes are a part of it. Numbers never come here: they are cells of the type number.
 */
export function xlsxCell(text: string): string {
  return formulaSign.test(text.charAt(0)) ? `"\t${text}"` : text
}

/**
 * The text of a CSV cell, quotes and all (specification, section 5): with =, +, - or @ anywhere in it, it is wrapped in
 * quotes with a leading tab and inner double quotes are doubled. Any other is quoted only where RFC 4180 asks for it.
 */
export function csvCell(text: string): string {
  if (formulaSign.test(text)) return quoted(`\t${text}`)
  return /[",\r\n]/.test(text) ? quoted(text) : text
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
