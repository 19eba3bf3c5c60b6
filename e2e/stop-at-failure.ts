import { beforeEach } from 'vitest'

/** A journey goes on from where the step before left it: after a step that failed, the rest of its file is skipped. */
let isBroken = false

beforeEach(({ onTestFailed, skip }) => {
  skip(isBroken, 'a step before it failed')
  onTestFailed(() => {
    isBroken = true
  })
})
