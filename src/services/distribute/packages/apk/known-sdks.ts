import type { ZipArchive } from './zip.ts'

/** A library that somebody else made. */
export type Sdk = { name: string; provider: string; version: string | null }

type Known = { name: string; provider: string; components?: readonly string[]; files?: RegExp }

/** Libraries by what they leave in a package: names of components, of native libraries, of files. */
const known: readonly Known[] = [
  {
    name: 'HMS Core',
    provider: 'Huawei',
    components: ['com.huawei.hms.'],
    files: /^(hmsrootcas\.bks|assets\/hmsrootcas)/,
  },
  { name: 'HarmonyOS Connect', provider: 'Huawei', components: ['com.huawei.agconnect.'] },
  {
    name: 'Google Play services',
    provider: 'Google',
    components: ['com.google.android.gms.'],
    files: /^play-services-basement\.properties$/,
  },
  {
    name: 'Firebase',
    provider: 'Google',
    components: ['com.google.firebase.'],
    files: /^firebase-common\.properties$/,
  },
  { name: 'Google Ads', provider: 'Google', components: ['com.google.android.gms.ads.'] },
  {
    name: 'AndroidX WorkManager',
    provider: 'Google',
    components: ['androidx.work.'],
    files: /^META-INF\/androidx\.work_work-runtime\.version$/,
  },
  { name: 'AndroidX Core', provider: 'Google', files: /^META-INF\/androidx\.core_core\.version$/ },
  { name: 'AndroidX Compose', provider: 'Google', files: /^META-INF\/androidx\.compose\.ui_ui\.version$/ },
  {
    name: 'AndroidX Test',
    provider: 'Google',
    files: /^META-INF\/androidx\.test\.(monitor|runner|core)\.version$|^META-INF\/androidx\.test_core\.version$/,
  },
  { name: 'Kotlin coroutines', provider: 'JetBrains', files: /^META-INF\/kotlinx_coroutines_(core|android)\.version$/ },
  { name: 'Flutter', provider: 'Google', files: /^(base\/)?lib\/[^/]+\/libflutter\.so$/ },
  { name: 'React Native', provider: 'Meta', files: /^(base\/)?lib\/[^/]+\/libreactnative(jni)?\.so$/ },
  { name: 'Unity', provider: 'Unity', components: ['com.unity3d.'], files: /^(base\/)?lib\/[^/]+\/libunity\.so$/ },
  {
    name: 'Unreal Engine',
    provider: 'Epic Games',
    components: ['com.epicgames.'],
    files: /^(base\/)?lib\/[^/]+\/lib(UE4|Unreal)\.so$/,
  },
  { name: 'Cocos', provider: 'Cocos', files: /^(base\/)?lib\/[^/]+\/libcocos2d(cpp|js|lua)?\.so$/ },
  { name: 'Facebook SDK', provider: 'Meta', components: ['com.facebook.'] },
  { name: 'WeChat Open SDK', provider: 'Tencent', components: ['com.tencent.mm.'] },
  { name: 'QQ Connect', provider: 'Tencent', components: ['com.tencent.tauth.', 'com.tencent.connect.'] },
  {
    name: 'Bugly',
    provider: 'Tencent',
    components: ['com.tencent.bugly.'],
    files: /^(base\/)?lib\/[^/]+\/libBugly[^/]*\.so$/,
  },
  { name: 'Alipay', provider: 'Ant Group', components: ['com.alipay.sdk.'] },
  { name: 'UMeng', provider: 'Alibaba', components: ['com.umeng.'], files: /^(base\/)?lib\/[^/]+\/libumeng[^/]*\.so$/ },
  { name: 'JPush', provider: 'Aurora', components: ['cn.jpush.'], files: /^(base\/)?lib\/[^/]+\/libjcore[^/]*\.so$/ },
  { name: 'GeTui', provider: 'Daily Interaction', components: ['com.igexin.'] },
  { name: 'Mi Push', provider: 'Xiaomi', components: ['com.xiaomi.mipush.', 'com.xiaomi.push.'] },
  { name: 'Baidu location', provider: 'Baidu', components: ['com.baidu.location.'] },
  { name: 'AMap location', provider: 'Alibaba', components: ['com.amap.api.'] },
  { name: 'Yandex AppMetrica', provider: 'Yandex', components: ['io.appmetrica.', 'com.yandex.metrica.'] },
  { name: 'Adjust', provider: 'Adjust', components: ['com.adjust.sdk.'] },
  { name: 'AppsFlyer', provider: 'AppsFlyer', components: ['com.appsflyer.'] },
  { name: 'AppLovin', provider: 'AppLovin', components: ['com.applovin.'] },
  { name: 'Sentry', provider: 'Sentry', components: ['io.sentry.'], files: /^(base\/)?lib\/[^/]+\/libsentry\.so$/ },
  { name: 'SQLCipher', provider: 'Zetetic', files: /^(base\/)?lib\/[^/]+\/libsqlcipher\.so$/ },
]

const VERSION_LIMIT_BYTES = 1024

/** The libraries a package shows, with a version where a small file of the library names it. */
export async function knownSdks(archive: ZipArchive, components: readonly { name: string }[]): Promise<Sdk[]> {
  const names = archive.entries
    .map(({ name }) => name)
    .filter(name => /^(META-INF\/|(base\/)?(lib|root)\/|[^/]+$|assets\/hms)/.test(name))
  const found: Sdk[] = []
  for (const { name, provider, components: prefixes, files } of known) {
    const file = files && names.find(one => files.test(one))
    const isNamed = prefixes?.some(prefix => components.some(one => one.name.startsWith(prefix))) ?? false
    if (file === undefined && !isNamed) continue
    found.push({ name, provider, version: file === undefined ? null : await versionIn(archive, file) })
  }
  return found
}

/** `META-INF/x.version` holds nothing but the version, `x.properties` has a line for it. */
async function versionIn(archive: ZipArchive, file: string): Promise<string | null> {
  const entry = archive.byName.get(file)
  if (!entry || !/\.(version|properties)$/.test(file) || entry.expandedBytes > VERSION_LIMIT_BYTES) return null
  const text = await archive.readEntry(entry, VERSION_LIMIT_BYTES).then(
    bytes => bytes.toString('utf8'),
    () => '',
  )
  const line = file.endsWith('.version') ? text : (/^version=(.*)$/m.exec(text)?.[1] ?? '')
  return /^[0-9A-Za-z][0-9A-Za-z.+_-]{0,60}$/.exec(line.trim())?.[0] ?? null
}
