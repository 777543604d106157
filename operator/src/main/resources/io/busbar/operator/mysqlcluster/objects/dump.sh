# Functions of all Jobs. Binaries of MariaDB and of MySQL are called differently, and take different options.
set -euo pipefail
export LC_ALL=C
work=$(mktemp -d)
: >"$work/errors"

if command -v mariadb-dump >/dev/null; then
  client=(mariadb)
  dump=(mariadb-dump --ignore-table=mysql.gtid_slave_pos --gtid --master-data=2)
  unlogged='SET SESSION sql_log_bin=0'
  account_tables=(global_priv)
else
  client=(mysql --get-server-public-key)
  dump=(mysqldump --set-gtid-purged=COMMENTED --source-data=2 --get-server-public-key)
  # Only read_only lets the operator's account write.
  unlogged='SET SESSION sql_log_bin=0, GLOBAL super_read_only=OFF'
  account_tables=(user global_grants)
fi

# HOST PORT ARGUMENT...: all that a server has, or what the arguments name, at one moment.
dump_from() {
  "${dump[@]}" --host="$1" --port="$2" --user="$OPERATOR" --protocol=tcp --max-allowed-packet=1G --single-transaction \
    --events --routines --triggers --flush-privileges "${@:3}" 2>>"$work/errors"
}

# HOST PORT: makes a server do what a dump says, without a trace in its binary log.
load_into() {
  "${client[@]}" --host="$1" --port="$2" --user="$OPERATOR" --protocol=tcp --max-allowed-packet=1G \
    --init-command="$unlogged" 2>>"$work/errors"
}

# Passes a dump on, and keeps its position, which MariaDB writes near the end and MySQL at the beginning, and its last line. The position is
# a comment: a server that has it before all of the data would be taken for whole.
marked() {
  sed -e "/^\(-- \)\?SET GLOBAL gtid_slave_pos='[0-9,-]*';\$/w $work/position" \
    -e '1,/^-- Current Database: /{' -e '/^\/\* SET @@GLOBAL.GTID_PURGED=/{' \
    -e ':lines' -e '/;\*\/$/!{' -e N -e 'b lines' -e '}' -e "w $work/position" -e '}' -e '}' -e "\$w $work/end"
}

# A dump that was cut off lacks its last line.
require_complete() {
  grep -q '^-- Dump completed' "$work/end" || fail "the dump is not complete"
}

position() {
  tr -d '\n' <"$work/position" | sed "s/.*gtid_slave_pos='\([^']*\)'.*/\1/; s/.*GTID_PURGED='+\?\([^']*\)';.*/\1/"
}

# ACCOUNT...: passes a dump of a whole server on so that these accounts stay as they are where it is loaded, and can log in at every moment
# of it: tables of the server itself are emptied, never dropped, and the other accounts change only at the end.
keeping_accounts() {
  local table kept
  local -a renaming=()
  kept=$(printf "'%s'," "$@" mariadb.sys mysql.sys mysql.session mysql.infoschema)
  for table in "${account_tables[@]}"; do
    renaming+=(-e "s/^\(DROP TABLE IF EXISTS\|CREATE TABLE\|LOCK TABLES\|INSERT INTO\|\/\*![0-9]* ALTER TABLE\) \`$table\`/\1 \`restored_$table\`/")
  done
  # MySQL keeps its own tables where no other table may be.
  sed -e '/^USE `mysql`;$/,/^USE `/{' "${renaming[@]}" \
    -e 's/^) \/\*!50100 TABLESPACE `mysql` \*\/ /) /' \
    -e '/^DROP TABLE IF EXISTS `restored_/!s/^DROP TABLE IF EXISTS .*//' \
    -e '/^CREATE TABLE `restored_/!s/^CREATE TABLE `/CREATE TABLE IF NOT EXISTS `/' \
    -e '/^LOCK TABLES `restored_/!s/^LOCK TABLES \(`[^`]*`\) WRITE;/& DELETE FROM \1;/' \
    -e '}'
  for table in "${account_tables[@]}"; do
    printf 'DELETE FROM mysql.%s WHERE User NOT IN (%s);\n' "$table" "${kept%,}"
    printf 'INSERT INTO mysql.%s SELECT * FROM mysql.restored_%s WHERE User NOT IN (%s);\n' "$table" "$table" "${kept%,}"
    printf 'DROP TABLE mysql.restored_%s;\n' "$table"
  done
  echo 'FLUSH PRIVILEGES;'
}

# KEY VALUE...: what the operator reads, once the Job has ended.
report() {
  local json= separator= value
  while [ $# -gt 0 ]; do
    value=${2:0:1000}
    value=${value//\\/\\\\}
    value=${value//\"/\\\"}
    json+="$separator\"$1\":\"${value//[[:cntrl:]]/ }\"" separator=,
    shift 2
  done
  printf '{%s}' "$json" >"${TERMINATION_LOG:-/dev/termination-log}"
}

# MESSAGE: ends the Job, with the last word of whichever program failed.
fail() {
  local word
  cat "$work/errors" >&2
  word=$(tail -n 1 "$work/errors")
  report message "$1${word:+: $word}"
  exit 1
}
