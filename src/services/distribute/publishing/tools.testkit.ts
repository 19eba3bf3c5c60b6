import { readFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Release tools of the field, as their requests are seen on the wire: methods, addresses, headers, bodies, names and
 * order of form fields, what they look at in an answer. Only the host is another.
 */
export interface Tool {
  origin: string
  clientId: string
  clientSecret: string
}

interface Told {
  ret?: { code: number; msg: string }
  [field: string]: unknown
}

/** A tool that stops says so with what it saw. */
export class ToolStopped extends Error {}

const here = ({ origin }: Tool, address: string) => {
  const { pathname, search } = new URL(address)
  return origin + pathname + search
}

async function told(reply: Response): Promise<Told> {
  const text = await reply.text()
  // Both stop at a status that is no success before they read a word of the answer.
  if (!reply.ok) throw new ToolStopped(`status code: ${reply.status} ${text}`)
  return JSON.parse(text) as Told
}

/** The Gradle plug-in: by package name, form with file first and parseType last, time or phases, tries again when told to. */
export async function gradleRelease(
  tool: Tool,
  wish: {
    apk: string
    packageName: string
    releaseTime?: string
    phase?: { start: string; end: string; percent: number }
  },
) {
  const seen: string[] = []
  const ask = async (method: string, place: string, token?: string, body?: unknown) => {
    seen.push(`${method} ${place.split('?')[0]}`)
    const reply = await fetch(`${tool.origin}/api${place}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json;charset=utf-8' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}`, client_id: tool.clientId }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return told(reply)
  }
  const credentials = { client_id: tool.clientId, client_secret: tool.clientSecret, grant_type: 'client_credentials' }
  const token = String((await ask('POST', '/oauth2/v1/token', undefined, credentials))['access_token'])
  const { appids } = (await ask('GET', `/publish/v2/appid-list?packageName=${wish.packageName}`, token)) as {
    appids?: { key: string; value: string }[]
  }
  const appId = appids?.[0]?.value
  if (appId === undefined) throw new ToolStopped('appids must not be empty')
  const address = await ask('GET', `/publish/v2/upload-url?appId=${appId}&suffix=apk`, token)
  const form = new FormData()
  form.append('file', new Blob([await readFile(wish.apk)]), path.basename(wish.apk))
  form.append('authCode', String(address['authCode']))
  form.append('fileCount', '1')
  form.append('parseType', '1')
  seen.push('POST uploadUrl')
  const sent = await fetch(here(tool, String(address['uploadUrl'])), {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: form,
  })
  const { result } = (await told(sent)) as {
    result?: { resultCode: string; UploadFileRsp: { fileInfoList: { fileDestUlr: string; size: number }[] } }
  }
  if (Number(result?.resultCode) !== 0) throw new ToolStopped('the upload failed')
  const files = result?.UploadFileRsp.fileInfoList.map(one => ({
    fileName: path.basename(wish.apk),
    fileDestUrl: one.fileDestUlr,
    size: one.size,
  }))
  const releaseType = wish.phase ? 3 : 1
  const info = await ask('PUT', `/publish/v2/app-file-info?appId=${appId}&releaseType=${releaseType}`, token, {
    fileType: 5,
    files,
  })
  if (info.ret?.code !== 0) throw new ToolStopped(JSON.stringify(info))
  const time = wish.releaseTime === undefined ? '' : `&releaseTime=${encodeURIComponent(wish.releaseTime)}`
  const submit = () =>
    ask(
      'POST',
      `/publish/v2/app-submit?appId=${appId}&releaseType=${releaseType}${time}`,
      token,
      wish.phase && {
        phasedReleaseStartTime: wish.phase.start,
        phasedReleaseEndTime: wish.phase.end,
        phasedReleasePercent: wish.phase.percent.toFixed(2),
        phasedReleaseDescription: `Release on ${wish.phase.percent}%`,
      },
    )
  const submitted = await submit()
  return { appId, pkgVersion: info['pkgVersion'] as string[], submitted, submit, seen }
}

/** The fastlane plug-in: texts first, form without parseType, sizes as text, and for bundles the status by its misspelt address. */
export async function fastlaneRelease(
  tool: Tool,
  wish: { appId: string; apk: string; privacy?: string; texts?: Record<string, string>; changelog?: string },
) {
  const ask = async (method: string, place: string, token?: string, body?: unknown) => {
    const reply = await fetch(`${tool.origin}/api${place}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(token === undefined ? {} : { client_id: tool.clientId, Authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return token === undefined ? ((await reply.json()) as Told) : told(reply)
  }
  const must = (answer: Told) => {
    if (answer.ret?.code !== 0) throw new ToolStopped(JSON.stringify(answer))
    return answer
  }
  const { clientId: client_id, clientSecret: client_secret } = tool
  const asked = await ask('POST', '/oauth2/v1/token', undefined, {
    client_id,
    grant_type: 'client_credentials',
    client_secret,
  })
  if (typeof asked['access_token'] !== 'string') throw new ToolStopped('Cannot retrieve token')
  const token = asked['access_token']
  const { appId } = wish
  if (wish.privacy !== undefined)
    must(await ask('PUT', `/publish/v2/app-info?appId=${appId}`, token, { privacyPolicy: wish.privacy }))
  if (wish.texts) must(await ask('PUT', `/publish/v2/app-language-info?appId=${appId}`, token, wish.texts))
  const address = await ask('GET', `/publish/v2/upload-url?appId=${appId}&suffix=apk`, token)
  const form = new FormData()
  form.append('file', new Blob([await readFile(wish.apk)]), path.basename(wish.apk))
  form.append('authCode', String(address['authCode']))
  form.append('fileCount', '1')
  const sent = await told(await fetch(here(tool, String(address['uploadUrl'])), { method: 'POST', body: form }))
  const { UploadFileRsp } = sent['result'] as {
    UploadFileRsp: { fileInfoList: { fileDestUlr: string; size: number }[] }
  }
  const [one] = UploadFileRsp.fileInfoList
  const info = must(
    await ask('PUT', `/publish/v2/app-file-info?appId=${appId}`, token, {
      fileType: 5,
      files: [{ fileName: 'release.apk', fileDestUrl: one?.fileDestUlr, size: String(one?.size) }],
    }),
  )
  const [pkgVersion = ''] = info['pkgVersion'] as string[]
  const status = must(await ask('GET', `/publish/v2/aab/complile/status?appId=${appId}&pkgIds=${pkgVersion}`, token))
  const remark = wish.changelog === undefined ? '' : `&remark=${encodeURIComponent(wish.changelog)}`
  const submitted = must(await ask('POST', `/publish/v2/app-submit?appId=${appId}${remark}`, token))
  return { token, pkgVersion, status, submitted }
}

/** The fastlane plug-in as it is since the field gave up forms: a PUT with the headers it is told, the object's id as the address. */
export async function fastlaneObjectRelease(
  tool: Tool,
  wish: {
    packageName: string
    apk: string
    phase: { start: string; end: string; percent: string; description: string }
  },
) {
  const seen: string[] = []
  const ask = async (method: string, place: string, token?: string, body?: unknown) => {
    seen.push(`${method} ${place.split('?')[0]}`)
    const reply = await fetch(`${tool.origin}/api${place}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(token === undefined ? {} : { client_id: tool.clientId, Authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = await told(reply)
    if (token !== undefined && answer.ret?.code !== 0) throw new ToolStopped(JSON.stringify(answer))
    return answer
  }
  const { clientId: client_id, clientSecret: client_secret } = tool
  const credentials = { client_id, grant_type: 'client_credentials', client_secret }
  const token = String((await ask('POST', '/oauth2/v1/token', undefined, credentials))['access_token'])
  const found = await ask('GET', `/publish/v2/appid-list?packageName=${wish.packageName}`, token)
  const appId = (found['appids'] as { value: string }[])[0]?.value
  const bytes = await readFile(wish.apk)
  const file = `&fileName=release.apk&contentLength=${bytes.length}&suffix=apk`
  const address = await ask('GET', `/publish/v2/upload-url/for-obs?appId=${appId}${file}`, token)
  const { url, headers, objectId } = address['urlInfo'] as {
    url: string
    headers: Record<string, string>
    objectId: string
  }
  seen.push('PUT urlInfo.url')
  const put = await fetch(here(tool, url), { method: 'PUT', headers, body: new Uint8Array(bytes) })
  if (put.status !== 200) throw new ToolStopped(`Cannot upload app (status code: ${put.status})`)
  const info = await ask('PUT', `/publish/v2/app-file-info?appId=${appId}`, token, {
    fileType: 5,
    files: [{ fileName: 'release.apk', fileDestUrl: objectId }],
  })
  const [pkgVersion = ''] = info['pkgVersion'] as string[]
  // One version of it wrote the ids behind another name and left this one empty.
  const pkgs = `pkgIds=&pkgVersion=${pkgVersion}`
  const status = await ask('GET', `/publish/v2/aab/complile/status?appId=${appId}&${pkgs}`, token)
  const submitted = await ask(
    'POST',
    `/publish/v2/app-submit?appId=${appId}&remark=Please+look+at+the+map&releaseType=3`,
    token,
    {
      phasedReleaseStartTime: wish.phase.start,
      phasedReleaseEndTime: wish.phase.end,
      phasedReleasePercent: wish.phase.percent,
      phasedReleaseDescription: wish.phase.description,
    },
  )
  return { seen, pkgVersion, status, submitted }
}

/** A publisher for Node with axios: no list around its one file, no body and a form's content type with the submit. */
export async function nodeRelease(tool: Tool, wish: { appId: string; apk: string }) {
  const { clientId: client_id, clientSecret: client_secret, origin } = tool
  const { appId } = wish
  const ask = async (method: string, place: string, type: string | null, token?: string, body?: unknown) => {
    const reply = await fetch(`${origin}/api${place}`, {
      method,
      headers: {
        Accept: 'application/json, text/plain, */*',
        ...(type === null ? {} : { 'Content-Type': type }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}`, client_id }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return told(reply)
  }
  const json = 'application/json'
  const credentials = { grant_type: 'client_credentials', client_id, client_secret }
  const token = String((await ask('POST', '/oauth2/v1/token', json, undefined, credentials))['access_token'])
  const address = await ask('GET', `/publish/v2/upload-url?appId=${appId}&suffix=apk`, null, token)
  const form = new FormData()
  form.append('file', new Blob([await readFile(wish.apk)]), 'app-release.apk')
  form.append('authCode', String(address['authCode']))
  form.append('fileCount', '1')
  form.append('parseType', '1')
  const sent = await told(await fetch(here(tool, String(address['uploadUrl'])), { method: 'POST', body: form }))
  const { UploadFileRsp } = sent['result'] as {
    UploadFileRsp: { fileInfoList: { fileDestUlr: string; size: number }[] }
  }
  const [one] = UploadFileRsp.fileInfoList
  const info = await ask('PUT', `/publish/v2/app-file-info?appId=${appId}`, json, token, {
    fileType: 5,
    files: { fileName: 'app-release.apk', fileDestUrl: one?.fileDestUlr, size: one?.size },
  })
  const [packageVersion] = info['pkgVersion'] as string[]
  const submit = `/publish/v2/app-submit?appId=${appId}`
  const submitted = await ask('POST', submit, 'application/x-www-form-urlencoded', token)
  return { packageVersion, submitted }
}
