import { execFileSync } from 'node:child_process'

/** Whether a program is there. */
export function has(tool: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${tool}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Whether Debian's Python has F-Droid's code. */
export function hasFdroidserver(): boolean {
  try {
    execFileSync('/usr/bin/python3', ['-c', 'import fdroidserver.index'], { stdio: 'ignore' })
    return has('jarsigner')
  } catch {
    return false
  }
}
