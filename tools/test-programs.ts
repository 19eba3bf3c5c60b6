import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Debian packages that tests use, each with a file that shows it is there. */
const packages: readonly [name: string, file: string][] = [
  ['chromium', '/usr/bin/chromium'],
  ['fonts-noto-core', '/usr/share/doc/fonts-noto-core'],
  ['fonts-noto-cjk', '/usr/share/doc/fonts-noto-cjk'],
  ['aapt', '/usr/bin/aapt'],
  ['zipalign', '/usr/bin/zipalign'],
  ['apksigner', '/usr/bin/apksigner'],
  ['android-framework-res', '/usr/share/android-framework-res/framework-res.apk'],
  ['openjdk-17-jdk-headless', '/usr/bin/jarsigner'],
  ['androguard', '/usr/share/doc/androguard/examples/signing'],
  ['fdroidcl', '/usr/bin/fdroidcl'],
  ['osslsigncode', '/usr/bin/osslsigncode'],
  ['unzip', '/usr/bin/unzip'],
  ['openssl', '/usr/bin/openssl'],
  ['python3', '/usr/bin/python3'],
  ['fdroidserver', '/usr/bin/fdroid'],
  ['bubblewrap', '/usr/bin/bwrap'],
  ['podman', '/usr/bin/podman'],
  ['runc', '/usr/sbin/runc'],
  ['netavark', '/usr/lib/podman/netavark'],
  ['aardvark-dns', '/usr/lib/podman/aardvark-dns'],
  ['docker-registry', '/usr/bin/docker-registry'],
]

/** Installs what is missing when we are root on a Debian machine. Returns what is still missing. */
export function installTestPrograms(): string[] {
  const missing = missingPrograms()
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return missing
  process.stdout.write(`installing ${missing.join(' ')} ...\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    execFileSync('apt-get', ['update', '-qq'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  } catch (error) {
    process.stdout.write(`apt-get did not install them: ${(error as Error).message}\n`)
  }
  return missingPrograms()
}

function missingPrograms(): string[] {
  return packages.filter(([, file]) => !existsSync(file)).map(([name]) => name)
}
