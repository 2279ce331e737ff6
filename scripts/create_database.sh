#!/bin/sh
# Runs once, in the postgres container: the site's role, which is no superuser, and the database that it owns.
set -eu

psql --set=ON_ERROR_STOP=1 --set=password="$FACTUARY_PASSWORD" --username postgres <<'SQL'
CREATE ROLE factuary LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE DATABASE factuary OWNER factuary;
SQL
