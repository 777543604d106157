# Functions of all Jobs. Binaries of MariaDB and of MySQL are called differently, and take different options.
set -euo pipefail
export LC_ALL=C
if command -v mariadb-dump >/dev/null; then
  client=mariadb
  dump=(mariadb-dump --ignore-table=mysql.gtid_slave_pos --gtid --master-data=2)
else
  client=mysql
  dump=(mysqldump --set-gtid-purged=ON --source-data=2 --get-server-public-key)
fi

# HOST PORT ARGUMENT...: all that a server has, at one moment.
dump_from() {
  "${dump[@]}" --host="$1" --port="$2" --user="$OPERATOR" --protocol=tcp --single-transaction --events --routines --triggers \
    --flush-privileges "${@:3}"
}

# Passes a dump on, and keeps its position and its last line.
marked() {
  sed -e "1,300{/gtid_slave_pos=\|GTID_PURGED=/w /tmp/position" -e '}' -e '$w /tmp/end'
}

# A dump that was cut off lacks its last line.
require_complete() {
  grep -q '^-- Dump completed' /tmp/end || fail "the dump is not complete"
}

position() {
  sed -n "s/.*gtid_slave_pos='\([^']*\)'.*/\1/p; s/.*GTID_PURGED=.*'\([^']*\)';.*/\1/p" /tmp/position | head -n 1
}

# KEY VALUE...: what the operator reads, once the Job has ended.
report() {
  local json= separator=
  while [ $# -gt 0 ]; do
    json+="$separator\"$1\":\"$2\"" separator=,
    shift 2
  done
  printf '{%s}' "$json" >/dev/termination-log
}

fail() {
  report message "$1"
  exit 1
}
