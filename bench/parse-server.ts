import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'

/** parse-server on express, as its own pages say to run it: REST only, no classes made by clients, quiet. */
const foreign = createRequire(path.join(path.resolve(process.env['PARSE_SERVER'] ?? ''), 'none.js'))
// It makes a folder for logs where it stands, whatever it is told.
process.chdir(os.tmpdir())
const express = foreign('express')
const { ParseServer } = foreign('parse-server')

const app = express()
const listening = app.listen(0, '127.0.0.1')
await new Promise(resolve => listening.once('listening', resolve))
const address = `http://127.0.0.1:${listening.address().port}/parse`
const server = new ParseServer({
  databaseURI: `postgres://postgres@localhost/${process.env['PARSE_DATABASE']}`,
  databaseOptions: { host: process.env['PARSE_HOST'], max: 16 },
  appId: 'bench',
  masterKey: 'master',
  restAPIKey: 'rest',
  masterKeyIps: ['127.0.0.1', '::1'],
  serverURL: address,
  allowClientClassCreation: false,
  logLevel: 'error',
  silent: true,
  logsFolder: null,
  enforcePrivateUsers: true,
  directAccess: true,
})
await server.start()
app.use('/parse', server.app)
process.stdout.write(`ready ${address}\n`)
process.on('SIGTERM', () => process.exit(0))
