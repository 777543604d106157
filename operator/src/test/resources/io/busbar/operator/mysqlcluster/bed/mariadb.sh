# What the image of a database server does: makes the data folder where there is none, and becomes the server.
# entrypoint.sh ADDRESS ARGUMENT...
set -euo pipefail

address=$1
shift
data=/var/lib/mysql
unfinished=$data/.unfinished

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
fi

mkdir -p /run/mysqld
exec mariadbd --user=root --datadir="$data" --bind-address="$address" --port=3306 \
  --socket=/run/mysqld/mysqld.sock --pid-file=/run/mysqld/mysqld.pid "$@"
