import { spawn } from 'node:child_process'
import { root } from './steps.ts'

/** `npm run dev`: the server restarts and the console rebuilds when a file changes. */
const children = [
  spawn('vite', ['build', '--watch', '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' }),
  spawn(process.execPath, ['--watch-path=src', '--import', './src/server/quick-start.ts', 'src/server/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    // One is restarted sooner than several.
    env: { LOGGIA_PROCESSES: '1', ...process.env },
  }),
]

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
}
