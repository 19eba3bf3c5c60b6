#!/bin/sh
# The one way in: installs what is missing, then runs a command on the Node that the lock file pins.
set -eu
cd "$(dirname "$0")/.."
command=$1
shift

is_installed() {
  [ -f node_modules/.installed ] && cmp -s package-lock.json node_modules/.installed
}
install() {
  is_installed && return
  echo "installing packages ..." >&2
  # Not npm ci: it refuses a lock file made where the packages of other platforms cannot be had.
  # The console is built here, also where NODE_ENV says production.
  npm install --no-save --ignore-scripts --include=dev --no-audit --no-fund --loglevel=error >&2
  cp package-lock.json node_modules/.installed
}
if ! is_installed; then
  mkdir -p node_modules
  # One at a time: two that install into one folder leave half of it.
  (flock 9 && install) 9>node_modules/.installing
fi
# A young generation of 16 to 32 MB: a smaller one spends a sixth of a call on collecting, a larger one keeps memory for nothing.
# Compiled code is kept for the next start.
NODE_COMPILE_CACHE="$PWD/node_modules/.cache/compiled"
export NODE_COMPILE_CACHE
PATH="$PWD/node_modules/.bin:$PATH"
export PATH

case $command in
  up)
    node tools/build-console.ts
    # The server ends when what started it here is gone, however it went.
    LOGGIA_FOLLOWS_PARENT=1 exec node --min-semi-space-size=16 --max-semi-space-size=32 --import ./src/server/quick-start.ts src/server/main.ts "$@"
    ;;
  dev) exec node tools/dev.ts "$@" ;;
  check) exec node tools/check.ts "$@" ;;
  verify) exec node tools/verify.ts "$@" ;;
  calls) exec node tools/calls.ts "$@" ;;
  bench) exec node bench/bench.ts "$@" ;;
  new-service) exec node tools/new-service.ts "$@" ;;
  client) exec node tools/build-client.ts "$@" ;;
  migrations) exec sh tools/migrations.sh "$@" ;;
  *)
    echo "no such command: $command" >&2
    exit 2
    ;;
esac
