#!/bin/sh
# Run once by the PostgreSQL image on an empty volume: the application's role and the two databases.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -v password="$APPLICATION_PASSWORD" <<'SQL'
CREATE ROLE loggia_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE DATABASE loggia_home;
CREATE DATABASE loggia_cn;
SQL
