#!/bin/sh
# Create the roles and the database, in the postgres container at its first start; roles that exist stay.
# `factuary` owns the tables and runs the migrations; `factuary_site` is the role of web, worker and beat.
set -eu

psql --set=ON_ERROR_STOP=1 --set=owner_password="$FACTUARY_PASSWORD" --set=site_password="$SITE_PASSWORD" \
    --username postgres <<'SQL'
SELECT format('CREATE ROLE factuary LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD %L', :'owner_password')
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'factuary') \gexec
SELECT format('CREATE ROLE factuary_site LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD %L', :'site_password')
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'factuary_site') \gexec
SELECT 'CREATE DATABASE factuary OWNER factuary'
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'factuary') \gexec
SQL
