#!/bin/sh
# Create the site's role, which is not a superuser, and its database. Runs once, in the postgres container.
set -eu

psql --set=ON_ERROR_STOP=1 --set=password="$FACTUARY_PASSWORD" --username postgres <<'SQL'
CREATE ROLE factuary LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE DATABASE factuary OWNER factuary;
SQL
