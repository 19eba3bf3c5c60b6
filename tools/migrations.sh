#!/bin/sh
# Writes the migrations for what changed in the services' tables. `npm run migrations add_field` names them.
set -eu
name=${1:-change}
drizzle-kit generate --config drizzle.home.config.ts --name "$name"
drizzle-kit generate --config drizzle.zone.config.ts --name "$name"
