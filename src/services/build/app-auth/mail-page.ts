import type { HostSettings } from './tables.ts'

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** Text as a page holds it. */
export const escaped = (text: string) => text.replace(/[&<>"']/g, mark => marks[mark] ?? mark)

/** A mail as a page, in the app’s colour and with its picture; every word of it is text. */
export function mailPage(host: HostSettings, text: string, link = ''): string {
  const { appName, logoUrl, color, termsUrl, privacyUrl, supportMail } = host
  const logo = logoUrl === '' ? '' : `<img src="${escaped(logoUrl)}" alt="" height="40">`
  const links = [termsUrl, privacyUrl]
    .filter(one => one !== '')
    .map(one => `<a href="${escaped(one)}">${escaped(one)}</a>`)
  const button = link === '' ? '' : `<p><a href="${escaped(link)}">${escaped(appName || link)}</a></p>`
  const foot = [escaped(supportMail), ...links].filter(one => one !== '').join('<br>')
  return `<!doctype html><html><body style="margin:0;font-family:sans-serif"><div style="max-width:560px;margin:0 auto;padding:24px">
<div style="border-top:4px solid ${escaped(color)};padding-top:16px">${logo}<p style="font-weight:600">${escaped(appName)}</p></div>
<p style="white-space:pre-wrap;line-height:1.5">${escaped(text)}</p>${button}
<p style="color:#667;font-size:13px">${foot}</p></div></body></html>`
}
