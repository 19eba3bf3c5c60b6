import { renderSVG } from 'uqr'
import { factorAddress } from '../factors/totp.ts'
import { escaped } from '../mail-page.ts'
import { brands, type TemplateLanguage, templateLanguages } from '../rules.ts'
import type { HostSettings } from '../tables.ts'
import type { Ways } from './relying.ts'
import { formTargetOf, type View } from './rules.ts'
import { languageNames, type PageWords, pageWords } from './words.data.ts'

export interface PageState {
  view: View
  language: TemplateLanguage
  /** Sealed; what the app asked for. */
  flow: string
  csrf: string
  redirectUri: string
  /** What of it is on. */
  ways: Ways
  /** As typed, or of a mailed link. */
  name: string
  code: string
  /** A code was asked for. */
  isSent: boolean
  problem: string
  notice: string
  /** The first step is done; the second one is left. */
  ticket: string
  /** Of a second factor that must be added to go on. */
  secret: string
  /** Of one that was just added. */
  recoveryCodes: readonly string[]
}

/** Everything stands in the page itself or comes from this host; nothing in it runs. */
export function pageHeaders(host: HostSettings, redirectUri: string | null): Record<string, string> {
  const logo = host.logoUrl === '' ? '' : ` ${new URL(host.logoUrl).origin}`
  const target = redirectUri === null ? '' : ` ${formTargetOf(redirectUri)}`
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    // With less, browsers send forms with an origin of null; the app hears of no page either way.
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'content-security-policy': [
      ...["default-src 'none'", "style-src 'self'", `img-src 'self' data:${logo}`, `form-action 'self'${target}`],
      ...["base-uri 'none'", "frame-ancestors 'none'"],
    ].join('; '),
  }
}

const input = (label: string, name: string, more: Record<string, string>) => {
  const attributes = Object.entries({ name, id: name, ...more }).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  return `<label for="${name}">${escaped(label)}</label><input${attributes.join('')}>`
}

/** The page of a project, in its colour; works without scripts, by keyboard, on a phone and in the dark. */
export function hostedPage(host: HostSettings, state: PageState): string {
  if (state.recoveryCodes.length > 0) return codesPage(host, state)
  if (state.secret !== '') return enrolPage(host, state)
  if (state.ticket !== '') return factorPage(host, state)
  const words = pageWords[state.language]
  const { view, flow, csrf, name, code, isSent, ways } = state
  const buttons = view === 'signIn' ? ways.providers.map(one => providerButton(words, flow, one)) : []
  const outside = buttons.length === 0 ? '' : `<div class="outside">${buttons.join('')}</div>`
  const label = ways.email && ways.phone ? words.name : ways.email ? words.email : words.phone
  const who = input(label, 'name', { value: name, required: '', autocomplete: 'username', maxlength: '254' })
  const isNew = view !== 'signIn'
  const secret = input(isNew ? words.newPassword : words.password, 'password', {
    ...{ type: 'password', maxlength: '200', autocomplete: isNew ? 'new-password' : 'current-password' },
    required: '',
  })
  const digits = input(words.code, 'code', {
    ...{ value: code, inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: '6', required: '' },
  })
  const asks = isNew && !isSent
  const step = asks ? 'send' : view
  const fields = [who, ...(isNew && isSent ? [digits] : []), ...(asks ? [] : [secret])].join('')
  const hidden = hiddenOf({ flow, csrf, view, step })
  const others = (['signIn', 'register', 'reset'] as const).filter(one => one !== view)
  const toOther = { signIn: words.toSignIn, register: words.toRegister, reset: words.toReset }
  const links = others.map(one => `<a href="${hrefOf({ flow, view: one })}">${escaped(toOther[one])}</a>`)
  return frame(host, state, words[view], [
    problemOf(state.problem),
    state.notice === '' ? '' : `<p class="notice" role="status">${escaped(state.notice)}</p>`,
    ...(ways.email || ways.phone
      ? [
          `<form method="post" action="authorize">${hidden}${fields}<button>${escaped(asks ? words.sendCode : words[view])}</button></form>`,
          outside,
          `<nav>${links.join('')}</nav>`,
        ]
      : [outside]),
    `<p class="small">${escaped(words.goesTo.replace('{place}', formTargetOf(state.redirectUri)))}</p>`,
  ])
}

/** Leads to a page of the provider's own. */
function providerButton(words: PageWords, flow: string, { provider, name }: Ways['providers'][number]): string {
  const text = words.by.replace('{provider}', brands[name] ?? name)
  const query = new URLSearchParams({ flow, provider: String(provider) })
  return `<a class="button" href="${escaped(`provider?${query}`)}">${escaped(text)}</a>`
}

const hiddenOf = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([key, value]) => `<input type="hidden" name="${key}" value="${escaped(value)}">`)
    .join('')

/** Asks for the code of the second factor. */
function factorPage(host: HostSettings, state: PageState): string {
  const words = pageWords[state.language]
  const { flow, csrf, name, ticket } = state
  const code = input(words.factorCode, 'code', { autocomplete: 'one-time-code', maxlength: '20', required: '' })
  const hidden = hiddenOf({ flow, csrf, name, ticket, view: 'signIn', step: 'factor' })
  return frame(host, state, words.factor, [
    problemOf(state.problem),
    `<form method="post" action="authorize">${hidden}${code}<button>${escaped(words.signIn)}</button></form>`,
    `<nav><a href="${hrefOf({ flow, view: 'signIn' })}">${escaped(words.again)}</a></nav>`,
  ])
}

/** A second factor is required, and this user has none yet. */
function enrolPage(host: HostSettings, state: PageState): string {
  const words = pageWords[state.language]
  const { flow, csrf, name, ticket, secret } = state
  const uri = factorAddress(host.appName || 'App', name || 'App', secret)
  const picture = `data:image/svg+xml;base64,${Buffer.from(renderSVG(uri)).toString('base64')}`
  const code = input(words.firstCode, 'code', {
    autocomplete: 'one-time-code',
    inputmode: 'numeric',
    maxlength: '20',
    required: '',
  })
  const hidden = hiddenOf({ flow, csrf, name, ticket, secret, view: 'signIn', step: 'enrol' })
  return frame(host, state, words.enrol, [
    problemOf(state.problem),
    `<p>${escaped(words.enrolText)}</p>`,
    `<p class="qr"><img src="${picture}" alt="${escaped(words.picture)}" width="200" height="200"></p>`,
    `<p class="small">${escaped(words.key)}</p><code>${escaped(secret.replace(/(.{4})(?=.)/g, '$1 '))}</code>`,
    `<form method="post" action="authorize">${hidden}${code}<button>${escaped(words.signIn)}</button></form>`,
    `<nav><a href="${hrefOf({ flow, view: 'signIn' })}">${escaped(words.again)}</a></nav>`,
  ])
}

/** Shown once, before the app is gone back to. */
function codesPage(host: HostSettings, state: PageState): string {
  const words = pageWords[state.language]
  const { flow, csrf, name, ticket, recoveryCodes } = state
  const hidden = hiddenOf({ flow, csrf, name, ticket, view: 'signIn', step: 'go' })
  return frame(host, { ...state, flow: '' }, words.codes, [
    `<p>${escaped(words.codesText)}</p>`,
    `<ul class="codes">${recoveryCodes.map(one => `<li><code>${escaped(one)}</code></li>`).join('')}</ul>`,
    `<form method="post" action="authorize">${hidden}<button>${escaped(words.goOn)}</button></form>`,
  ])
}

/** Says why there is no form; leads nowhere. */
export function closedPage(host: HostSettings, language: TemplateLanguage, text: string): string {
  return frame(host, { language, flow: '', view: 'signIn' }, pageWords[language].signIn, [problemOf(text)])
}

const problemOf = (text: string) => (text === '' ? '' : `<p class="problem" role="alert">${escaped(text)}</p>`)

function hrefOf(values: Record<string, string>): string {
  return escaped(`authorize?${new URLSearchParams(values)}`)
}

function frame(
  host: HostSettings,
  { language, flow, view }: Pick<PageState, 'language' | 'flow' | 'view'>,
  title: string,
  parts: readonly string[],
): string {
  const words = pageWords[language]
  const { appName, logoUrl, color, termsUrl, privacyUrl, supportMail } = host
  const logo = logoUrl === '' ? '' : `<img src="${escaped(logoUrl)}" alt="" height="48">`
  const link = (address: string, text: string) =>
    address === '' ? '' : `<a href="${escaped(address)}" rel="noreferrer">${escaped(text)}</a>`
  const languages = templateLanguages
    .filter(one => flow !== '' && one !== language)
    .map(one => `<a lang="${one}" href="${hrefOf({ flow, view, ui_locales: one })}">${languageNames[one]}</a>`)
  const mail = supportMail === '' ? '' : link(`mailto:${supportMail}`, supportMail)
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><title>${escaped(`${title} · ${appName}`)}</title><link rel="stylesheet" href="hosted.css?color=${escaped(color.slice(1))}"></head>
<body><main><header>${logo}<p class="app">${escaped(appName)}</p><h1>${escaped(title)}</h1></header>
${parts.join('\n')}
<footer><nav aria-label="${escaped(words.language)}">${languages.join('')}</nav>${link(termsUrl, words.terms)}${link(privacyUrl, words.privacy)}${mail}</footer></main></body></html>`
}

/** The sheet of the page; `color` is six hexadecimal digits. */
export function pageStyle(color: string): string {
  const channels = [0, 2, 4].map(at => Number.parseInt(color.slice(at, at + 2), 16))
  const [red = 0, green = 0, blue = 0] = channels
  const isLight = red * 0.299 + green * 0.587 + blue * 0.114 > 150
  return `:root{color-scheme:light dark;--own:#${color};--on:${isLight ? '#000' : '#fff'};--ground:#f4f5f7;--card:#fff;--ink:#16191f;--soft:#5a6270;--line:#7d8998;--bad:#b00020;--good:#00692e;--link:#0b57c2}
@media (prefers-color-scheme:dark){:root{--ground:#0f141a;--card:#192534;--ink:#eef1f5;--soft:#b4bfcc;--line:#8697ab;--bad:#ff9a9a;--good:#7ce0a3;--link:#8ab8ff}}
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:420px;margin:6vh auto;padding:28px 24px;background:var(--card);border-top:5px solid var(--own);border-radius:8px}
h1{font-size:1.4rem;margin:.2em 0 1em}.app{font-weight:600;margin:.4em 0 0;color:var(--soft)}
form{display:grid;gap:6px}label{font-weight:600;margin-top:8px}
input{font:inherit;width:100%;padding:10px 12px;border:1px solid var(--line);border-radius:6px;background:transparent;color:inherit}
button{font:inherit;font-weight:600;margin-top:16px;padding:11px;border:0;border-radius:6px;background:var(--own);color:var(--on);cursor:pointer}
input:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid var(--link);outline-offset:2px}
a{color:var(--link)}nav{display:flex;flex-wrap:wrap;gap:6px 18px;margin-top:18px}.small,footer{color:var(--soft);font-size:.875rem}
footer{display:flex;flex-wrap:wrap;gap:6px 18px;margin-top:18px;border-top:1px solid var(--line);padding-top:12px}footer nav{margin:0}
.outside{display:grid;gap:8px;margin-top:20px}.button{display:block;padding:10px;border:1px solid var(--line);border-radius:6px;color:inherit;font-weight:600;text-align:center;text-decoration:none}
.qr img{display:block;margin:auto;padding:8px;background:#fff;border-radius:6px}code{letter-spacing:.04em}.codes{columns:2;padding-left:1.2em}
.problem{color:var(--bad);font-weight:600}.notice{color:var(--good);font-weight:600}
@media (max-width:460px){main{margin:0;min-height:100vh;border-radius:0}}`
}
