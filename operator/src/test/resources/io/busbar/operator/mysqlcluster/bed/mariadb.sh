# What the image of a database server does: makes the data folder where there is none, upgrades the tables of one that an
# older release has left where that is asked for, and becomes the server.
# entrypoint.sh ADDRESS ARGUMENT...
set -euo pipefail

address=$1
shift
data=/var/lib/mysql
unfinished=$data/.unfinished

release() { # as a number: 10.11.6-MariaDB is 10011
  tr -d '\0' | grep -oE '[0-9]+\.[0-9]+' | head -n 1 | awk -F . '{ print $1 * 1000 + $2 }'
}

is_of_older_release() {
  local recorded=$data/mysql_upgrade_info
  [[ -s $recorded ]] || return 0
  (($(release <"$recorded") < $(mariadbd --no-defaults --version | release)))
}

upgrade() { # ARGUMENT...: for a server that nobody else can reach
  local socket=/run/mysqld/upgrade.sock server recorded
  recorded=$(tr -d '\0' <"$data/mysql_upgrade_info" || echo unknown_version)
  echo "upgrading the tables of $recorded" >&2
  mariadbd --user=root --datadir="$data" --socket="$socket" "$@" --skip-networking --skip-grant-tables \
    --skip-slave-start &
  server=$!
  until mariadb-admin --no-defaults --socket="$socket" ping >/dev/null 2>&1; do
    kill -0 "$server"
    sleep 0.1
  done
  mariadb-dump --no-defaults --socket="$socket" --skip-lock-tables --replace --databases mysql |
    zstd -q >"$data/system_mysql_backup_$recorded.sql.zst"
  mariadb-upgrade --no-defaults --socket="$socket" --upgrade-system-tables
  kill "$server"
  wait "$server"
}

mkdir -p /run/mysqld
if [[ ! -d $data/mysql || -e $unfinished ]]; then
  password=${MARIADB_ROOT_PASSWORD:-${MYSQL_ROOT_PASSWORD:-}}
  if [[ -z $password ]]; then
    echo "the data folder is empty, and MYSQL_ROOT_PASSWORD is not set" >&2
    exit 1
  fi
  password=${password//\\/\\\\}
  password=${password//\'/\\\'}
  mkdir -p "$data"
  touch "$unfinished"
  find "$data" -mindepth 1 ! -path "$unfinished" -delete
  cp -a --sparse=never /opt/empty-database/. "$data/"
  mariadbd --no-defaults --user=root --datadir="$data" --innodb-log-file-size=8M \
    --bootstrap <<SQL
FLUSH PRIVILEGES;
CREATE OR REPLACE USER root@localhost IDENTIFIED BY '$password';
GRANT ALL ON *.* TO root@localhost WITH GRANT OPTION;
CREATE OR REPLACE USER root@'%' IDENTIFIED BY '$password';
GRANT ALL ON *.* TO root@'%' WITH GRANT OPTION;
SQL
  rm "$unfinished"
elif [[ ${MARIADB_AUTO_UPGRADE:-0} != 0 ]] && is_of_older_release; then
  upgrade "$@"
fi

exec mariadbd --user=root --datadir="$data" --bind-address="$address" --port=3306 \
  --socket=/run/mysqld/mysqld.sock --pid-file=/run/mysqld/mysqld.pid "$@"
