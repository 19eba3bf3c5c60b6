#!/bin/sh
# The command `loggia`: finds the Node that the lock file pins, else the one there is, and runs the program on it.
set -eu
self=$(readlink -f "$0")
root=$(dirname "$(dirname "$self")")
PATH="$root/node_modules/.bin:$PATH"
export PATH
exec node --no-warnings "$root/tools/loggia.ts" "$@"
