#!/bin/bash
# Makes the user and the database of the service, and the user of the standby. The image of PostgreSQL runs this once, before the primary
# takes connections from other machines.
set -euo pipefail

psql --set=ON_ERROR_STOP=1 --username=postgres \
  --set=user_password="$USER_PASSWORD" --set=standby_password="$STANDBY_PASSWORD" <<'SQL'
SET synchronous_commit = local; -- there is no standby yet
CREATE ROLE standby LOGIN REPLICATION PASSWORD :'standby_password';
CREATE ROLE animal_store LOGIN PASSWORD :'user_password';
CREATE DATABASE animal_store OWNER animal_store;
SQL

echo 'host replication standby all scram-sha-256' >>"$PGDATA/pg_hba.conf"
