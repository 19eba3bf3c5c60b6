import { type ApkReport, inspectApk } from '../apk/inspect.ts'
import { type PackageReport, reportOf } from '../facts.ts'
import { signingFacts } from './signers.ts'

/** Reads an Android package. */
export async function readApk(path: string, options: { targetSdkFloor: number }): Promise<PackageReport> {
  return apkFacts(await inspectApk(path, options))
}

function apkFacts(report: ApkReport): PackageReport {
  const { manifest, breakdown } = report
  const found = {
    ...(manifest && {
      packageName: manifest.package,
      versionCode: manifest.versionCode,
      versionName: manifest.versionName,
      label: manifest.label,
      labels: manifest.labels,
      languages: Object.keys(manifest.labels),
      minSdk: manifest.minSdk,
      targetSdk: manifest.targetSdk,
      compileSdk: manifest.compileSdk,
      permissions: manifest.permissions,
      features: manifest.features,
      components: manifest.components,
      debuggable: manifest.isDebuggable,
    }),
    abis: report.abis,
    sdks: report.sdks,
    ...signingFacts(report.signature),
    dexCount: breakdown?.dexCount ?? 0,
    folders: breakdown?.folders ?? [],
    nativeLibraries: breakdown?.nativeLibraries ?? [],
    findings: report.findings,
  }
  return reportOf(found, { iconPath: report.iconPath })
}
