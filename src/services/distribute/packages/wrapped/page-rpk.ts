import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export interface PageApp {
  url: string
  name: string
  packageName: string
  versionCode: number
  versionName: string
  /** PNG or WEBP; none where the app brings none. */
  icon: { bytes: Buffer; ending: 'png' | 'webp' } | null
}

/** The oldest platform whose web component keeps to the page's own origin. */
const minPlatformVersion = 1070
const NO_TIME = new Date(1980, 0, 1)

/** A quick app with one page: a web view on the address. The same wish gives the same bytes. */
export function pageRpk(app: PageApp): Readable {
  const icon = app.icon ? `icon.${app.icon.ending}` : null
  const manifest = {
    package: app.packageName,
    name: app.name,
    versionName: app.versionName,
    versionCode: app.versionCode,
    minPlatformVersion,
    ...(icon ? { icon: `/${icon}` } : {}),
    features: [{ name: 'system.webview' }, { name: 'system.router' }],
    config: { logLevel: 'off' },
    router: { entry: 'Page', pages: { Page: { component: 'index', path: '/' } } },
    display: { titleBar: false, pages: { Page: { titleBarText: app.name } } },
    h5: { address: app.url },
  }
  const zip = new ZipFile()
  const add = (path: string, bytes: Buffer) =>
    zip.addBuffer(bytes, path, { mtime: NO_TIME, mode: 0o100644, forceDosTimestamp: true })
  add('manifest.json', Buffer.from(JSON.stringify(manifest, null, 2)))
  add('app.js', Buffer.from('export default { onCreate() {} }\n'))
  add('Page/index.ux', Buffer.from(pageSource(app.url)))
  if (icon && app.icon) add(icon, app.icon.bytes)
  zip.end()
  return zip.outputStream as Readable
}

function pageSource(url: string): string {
  return `<template>
  <web src="{{address}}" allowthirdpartycookies="false"></web>
</template>

<script>
export default { private: { address: ${JSON.stringify(url)} } }
</script>
`
}
