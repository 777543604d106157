# What MySQL's image does: makes the data folder where there is none, with time zones and the password of root, and becomes the server.
# mysql.sh ADDRESS ARGUMENT...
set -euo pipefail

address=$1
shift
data=/var/lib/mysql
unfinished=$data/.unfinished
first=()

if [[ ! -d $data/mysql || -e $unfinished ]]; then
  password=${MYSQL_ROOT_PASSWORD:-}
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
  # The image writes time zones to the binary log, and the accounts of root not. Their tables stay nearly empty here.
  : >/tmp/first.sql
  if [[ -z ${MYSQL_INITDB_SKIP_TZINFO:-} ]]; then
    echo "TRUNCATE TABLE mysql.time_zone;" >>/tmp/first.sql
    echo "INSERT INTO mysql.time_zone (Use_leap_seconds) VALUES ('N');" >>/tmp/first.sql
  fi
  cat >>/tmp/first.sql <<SQL
SET SESSION sql_log_bin = OFF;
ALTER USER root@localhost IDENTIFIED BY '$password';
CREATE USER root@'%' IDENTIFIED BY '$password';
GRANT ALL ON *.* TO root@'%' WITH GRANT OPTION;
SQL
  first=(--init-file=/tmp/first.sql)
  # The server takes connections once these statements are through.
  (
    # Nothing ever comes from this: it is waited for, which takes no process. A server that is killed before the file has
    # gone begins anew.
    exec 4<> <(:)
    until read -r -n 1 -t 1 2>/dev/null <"/dev/tcp/$address/3306"; do read -r -t 0.05 -u 4 || true; done
    rm "$unfinished"
  ) &
fi

mkdir -p /run/mysqld
exec mysqld --user=root --datadir="$data" --bind-address="$address" --port=3306 \
  --socket=/run/mysqld/mysqld.sock --pid-file=/run/mysqld/mysqld.pid "${first[@]}" "$@"
