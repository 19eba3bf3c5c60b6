import { readFileSync } from 'node:fs'

export interface Usage {
  memMb: number
  memPeakMb: number
  cpuMs: number
}

const ticksPerSecond = 100

/** What the kernel says of one process; null when it is gone. */
export function usageOf(pid: number): Usage | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
    // What the binary and its libraries share with everybody is not the function's.
    const shared = kilobytes('RssFile')
    return {
      memMb: (kilobytes('VmRSS') - shared) / 1024,
      memPeakMb: Math.max(0, kilobytes('VmHWM') - shared) / 1024,
      cpuMs: ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond,
    }
  } catch {
    return null
  }
}
