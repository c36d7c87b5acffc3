// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace slurmop::parts {

// Starts MariaDB; "$1" is the port, "$2" the size of the buffer pool.
//
// root prepares the folders and continues as mysql, without further capabilities.
//
// The first start creates the system tables in a folder of another name, which is renamed when it is
// complete: a start that was killed begins again. `@auth_root_socket` makes root an account of the
// socket; lines with the host name would add accounts of the pod's name.
//
// The account of slurmdbd is created or changed at every start, so that it has the password of the
// Secret. The statement has the form of the password that MariaDB stores, a double SHA-1, and so
// neither the password itself nor text that has to be quoted.
//
// slurmdbd ends at a conflict of two transactions if innodb_snapshot_isolation is on, which is the
// default of newer versions; older ones do not have it.
inline constexpr std::string_view kRunDatabase = R"bash(umask 027
port=$1
pool=$2
volume=/var/lib/mysql
run=/run/mysqld

if [ "$EUID" = 0 ]; then
  mkdir -p "$run"
  chown root:root "$run"
  chmod 0755 "$run"
  password=$(cat /secrets/database-password/password)
  if [ -z "$password" ]; then echo "the password of the database is empty" >&2; exit 1; fi
  once=$(printf %s "$password" | sha1sum | cut -c 1-40)
  twice=$(printf "$(printf %s "$once" | sed 's/../\\x&/g')" | sha1sum | cut -c 1-40)
  unset password once
  if [ "${#twice}" != 40 ]; then echo "cannot hash the password of the database" >&2; exit 1; fi
  {
    echo "CREATE DATABASE IF NOT EXISTS slurm_acct_db;"
    echo "CREATE OR REPLACE USER slurm@'%' IDENTIFIED BY PASSWORD '*${twice^^}';"
    echo "GRANT ALL ON slurm_acct_db.* TO slurm@'%';"
  } > "$run/accounts.sql"
  chown mysql:mysql "$run/accounts.sql" "$run" "$volume"
  exec setpriv --reuid=mysql --regid=mysql --clear-groups \
    bash -ec "$BASH_EXECUTION_STRING" "$0" "$@"
fi
shift 2

if [ ! -d "$volume/data" ]; then
  echo "creating the system tables"
  tables=/usr/share/mariadb
  if [ ! -e "$tables/mariadb_system_tables.sql" ]; then tables=/usr/share/mysql; fi
  rm -rf "$volume/data.new"
  mkdir -m 0700 "$volume/data.new"
  {
    echo "CREATE DATABASE mysql;"
    echo "USE mysql;"
    echo "SET @auth_root_socket = 'root';"
    cat "$tables/mariadb_system_tables.sql" "$tables/mariadb_performance_tables.sql"
    grep -v @current_hostname "$tables/mariadb_system_tables_data.sql"
  } > "$run/tables.sql"
  mariadbd --no-defaults --bootstrap --datadir="$volume/data.new" --skip-log-bin \
    < "$run/tables.sql"
  sync -f "$volume/data.new"
  mv -T "$volume/data.new" "$volume/data"
  sync -f "$volume"
fi
exec mariadbd --no-defaults --datadir="$volume/data" --socket="$run/mysqld.sock" \
  --pid-file="$run/mysqld.pid" --init-file="$run/accounts.sql" --port="$port" \
  --bind-address="*" --skip-name-resolve --innodb-buffer-pool-size="$pool" \
  --innodb-log-file-size=64M --innodb-lock-wait-timeout=900 --max-allowed-packet=64M \
  --loose-innodb-snapshot-isolation=OFF "$@"
)bash";

}  // namespace slurmop::parts
