# Functions of all Jobs. Binaries of MariaDB and of MySQL are called differently, and take different options.
set -euo pipefail
export LC_ALL=C
work=$(mktemp -d)
: >"$work/errors"

if command -v mariadb-dump >/dev/null; then
  client=(mariadb)
  # Events come with their schemas; the table would have those of a schema before this one enabled again.
  dump=(mariadb-dump --ignore-table=mysql.gtid_slave_pos --ignore-table=mysql.event --gtid --master-data=2)
  binlog=(mariadb-binlog --no-defaults --verify-binlog-checksum)
  account_tables=(global_priv)
  writer='@@GLOBAL.server_id'
  gtids='@@GLOBAL.gtid_binlog_state'
  following='SHOW ALL SLAVES STATUS'
  # There is nothing but read_only, which lets the operator's account write.
  open='DO 0'
else
  client=(mysql --get-server-public-key)
  # How far the threads of a replica have come says nothing of the one that gets the dump.
  dump=(mysqldump --ignore-table=mysql.slave_worker_info --set-gtid-purged=OFF --no-tablespaces --verbose --get-server-public-key)
  # Its images have no mysqlbinlog: binary logs come as statements.
  binlog=(cat)
  account_tables=(user global_grants)
  writer='@@GLOBAL.server_uuid'
  gtids='REPLACE(@@GLOBAL.gtid_executed, CHAR(10), SPACE(0))'
  following='SHOW REPLICA STATUS'
  # Only read_only lets the operator's account write.
  open='SET GLOBAL super_read_only = OFF'
fi

dump+=(--max-allowed-packet=1G --single-transaction --events --routines --triggers --flush-privileges)

# Where programs hold all connections of a server, it lets in here. It has no such port if it was started without, or something in between lets nobody
# through to it.
for server in DONOR TARGET SOURCE PRIMARY; do
  host=${server}_HOST
  [ -n "${!host:-}" ] && [ -n "${ADMINISTRATION_PORT:-}" ] || continue
  if timeout 3 bash -c 'exec 3<>"/dev/tcp/$1/$2"' port "${!host}" "$ADMINISTRATION_PORT" 2>/dev/null; then
    printf -v "${server}_PORT" %s "$ADMINISTRATION_PORT"
  fi
done

# For how many seconds a dump waits for a table.
table_patience=${TABLE_PATIENCE:-120}

# A Job that only removes a file knows of no servers.
is_incomplete="EXISTS (SELECT 1 FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = '${MARK:-}')"
target="CONCAT_WS('/', @@GLOBAL.read_only, $writer, $gtids, $is_incomplete)"
changed='it changed while it was looked at'

# HOST: sets transport to the options by which a client logs in to that server, and verifies it over TLS, if it has certificates: by its CA, and by
# its name where it is reached by one; and password.
choose_transport() {
  local server host authorities
  transport=(--user="$OPERATOR") password=${MYSQL_PWD:-}
  if [ "$1" = "${OUTSIDE_HOST:-}" ]; then
    choose_outside
    return
  fi
  for server in DONOR TARGET SOURCE PRIMARY; do
    host=${server}_HOST authorities=${server}_TLS
    [ "${!host:-}" = "$1" ] && [ -n "${!authorities:-}" ] || continue
    transport+=("--ssl-ca=${!authorities}")
    # An address ends in a digit, or is one of IPv6.
    case ${client[0]}/$1 in
      mariadb/*:* | mariadb/*[0-9]) transport+=(--ssl --skip-ssl-verify-server-cert) ;;
      mariadb/*) transport+=(--ssl --ssl-verify-server-cert) ;;
      *:* | *[0-9]) transport+=(--ssl-mode=VERIFY_CA) ;;
      *) transport+=(--ssl-mode=VERIFY_IDENTITY) ;;
    esac
  done
}

# The same of a server outside, which the cluster has no accounts in.
choose_outside() {
  transport=(--user="$OUTSIDE_USER") password=$OUTSIDE_PASSWORD
  [ -z "${OUTSIDE_CA:-}" ] || transport+=("--ssl-ca=$OUTSIDE_CA")
  case ${client[0]}/$OUTSIDE_TLS in
    mariadb/Disabled) transport+=(--skip-ssl) ;;
    mariadb/VerifyIdentity) transport+=(--ssl --ssl-verify-server-cert) ;;
    mariadb/*) transport+=(--ssl --skip-ssl-verify-server-cert) ;;
    mysql*/Disabled) transport+=(--ssl-mode=DISABLED) ;;
    mysql*/Required) transport+=(--ssl-mode=REQUIRED) ;;
    mysql*/VerifyCA) transport+=(--ssl-mode=VERIFY_CA) ;;
    *) transport+=(--ssl-mode=VERIFY_IDENTITY) ;;
  esac
}

# HOST PORT STATEMENT: rows as they are.
ask() {
  local transport password
  choose_transport "$1"
  MYSQL_PWD=$password "${client[@]}" "${transport[@]}" --host="$1" --port="$2" --protocol=tcp --connect-timeout=10 --batch --raw --skip-column-names \
    --execute="$3" 2>>"${complaints:-$work/errors}"
}

# HOST PORT: part of a copy is nothing to be copied.
require_complete_server() {
  local incomplete
  incomplete=$(ask "$1" "$2" "SELECT $is_incomplete") || fail "$1 cannot be asked"
  [ "$incomplete" = 0 ] || fail "$1 has itself only part of a copy"
}

# Ends the Job unless $TARGET_HOST is the server that the operator meant, as it was then: who asked for this Job may be the leader no more, and
# the server may be the primary by now.
require_meant_target() {
  local read_only id gtids
  target_seen=$(ask "$TARGET_HOST" "$TARGET_PORT" "SELECT $target") || untouched "it cannot be asked"
  IFS=/ read -r read_only id gtids target_incomplete <<<"$target_seen"
  [ "$id" = "$TARGET_WRITER" ] || untouched "it is the server $id, not $TARGET_WRITER"
  case $read_only in
    # Some versions have words for it.
    1 | ON | NO_LOCK*) ;;
    *) untouched "it is writable" ;;
  esac
  [ "$(sorted "$gtids")" = "$(sorted "$TARGET_POSITION")" ] ||
    untouched "it is at '$gtids', and was at '$TARGET_POSITION' when this was decided"
  [ -z "$(ask "$TARGET_HOST" "$TARGET_PORT" "$following" || echo unknown)" ] || untouched "it follows another server"
}

# GTIDS
sorted() {
  tr , '\n' <<<"$1" | sort
}

# Who is connected to $TARGET_HOST but the operator and the server itself, and which of them are programs: all but replicas, and those who can
# write to a server though it is read-only. One that is not logged in yet is the probe of its Pod.
administers="EXISTS (SELECT 1 FROM information_schema.USER_PRIVILEGES WHERE GRANTEE LIKE CONCAT('''', USER, '''@%') AND PRIVILEGE_TYPE
  IN ('SUPER', 'READ_ONLY ADMIN', 'READ ONLY ADMIN', 'CONNECTION ADMIN', 'CONNECTION_ADMIN', 'SYSTEM_VARIABLES_ADMIN'))"
clients="FROM information_schema.PROCESSLIST WHERE COMMAND <> 'Daemon' AND (COMMAND LIKE 'Binlog Dump%'
  OR USER NOT IN ('${OPERATOR:-}', '${REPLICATION:-}', 'system user', 'event_scheduler', 'unauthenticated user'))"
programs="COMMAND NOT LIKE 'Binlog Dump%' AND NOT $administers"

# Ends the Job when another server follows $TARGET_HOST, or somebody is connected who can write to it: an administrator may be at work.
require_unused_target() {
  local user
  user=$(
    ask "$TARGET_HOST" "$TARGET_PORT" "SELECT CONCAT(USER, ' from ', HOST, IF(COMMAND LIKE 'Binlog Dump%', ', which follows it', ''))
      $clients AND NOT ($programs) LIMIT 1"
  ) || untouched "it does not tell who is connected to it"
  [ -z "$user" ] || untouched "somebody is connected to it: $user"
}

# From here to the end of the Job, programs that come to $TARGET_HOST past the Services are ended again and again: they can read only, and their
# locks must not be in the way.
keep_programs_out() {
  local id complaints=/dev/null
  while true; do
    for id in $(ask "$TARGET_HOST" "$TARGET_PORT" "SELECT ID $clients AND $programs"); do
      ask "$TARGET_HOST" "$TARGET_PORT" "KILL $id" || true # It has ended meanwhile.
    done
    sleep 1
  done &
  trap "kill $! || true" EXIT
}

# What a session begins with that changes $TARGET_HOST: it ends here if that is not as it was when it was looked at, or another Job loads into it,
# and soon after when whoever sends the statements is frozen.
unless_changed() {
  printf '%s;\n' 'SET SESSION wait_timeout = 60' "SET @busbar_lock = GET_LOCK('$MARK', 60)" \
    "SET @busbar_next = IF(@busbar_lock = 1 AND $target = '$target_seen', '$open', '$changed')" \
    'PREPARE busbar_next FROM @busbar_next' 'EXECUTE busbar_next' 'DEALLOCATE PREPARE busbar_next'
}

# Sets target_version, as $TARGET_HOST tells it.
require_known_version() {
  target_version=$(ask "$TARGET_HOST" "$TARGET_PORT" 'SELECT VERSION()') || untouched "it does not tell its version"
}

# The statements that empty $TARGET_HOST. It is marked first, and until the operator has told it the position of what it was given.
erasure() {
  local names name
  names=$(ask "$TARGET_HOST" "$TARGET_PORT" 'SHOW DATABASES') || return 1
  printf 'CREATE DATABASE IF NOT EXISTS %s;\n' "$MARK"
  # No data files are to come into what is loaded, though they were asked for.
  [ "${client[0]}" != mariadb ] || printf "ALTER DATABASE %s COMMENT = '';\n" "$MARK"
  while IFS= read -r name; do
    case ${name,,} in
      mysql | information_schema | performance_schema | sys | "$MARK") ;;
      *) printf 'DROP DATABASE IF EXISTS `%s`;\n' "${name//\`/\`\`}" ;;
    esac
  done <<<"$names"
  if [ "${client[0]}" = mariadb ]; then
    printf '%s;\n' 'RESET MASTER' "SET GLOBAL gtid_slave_pos = ''"
  else
    case $target_version in
      8.[01].*) echo 'RESET MASTER;' ;;
      *) echo 'RESET BINARY LOGS AND GTIDS;' ;;
    esac
  fi
}

# HOST PORT: has a server of MySQL take no writes, for 30 seconds at most, and sets position_before to where it stands then. Fails when a write does
# not end in time: it may wait for an acknowledgement by the very replica that is to have the copy. mysqldump's own lock would wait with it, and
# closes the tables first: those that the write uses stay closed to all when that is given up.
lock_writes() {
  local stands transport password
  choose_transport "$1"
  rm -f "$work/asked" "$work/answered"
  mkfifo "$work/asked" "$work/answered"
  exec {asks}<>"$work/asked"
  MYSQL_PWD=$password "${client[@]}" "${transport[@]}" --host="$1" --port="$2" --protocol=tcp --connect-timeout=10 --batch --raw \
    --skip-column-names --unbuffered --skip-reconnect <"$work/asked" >"$work/answered" 2>>"$work/errors" {asks}>&- &
  exec {answers}<"$work/answered"
  printf '%s;\n' 'SET SESSION lock_wait_timeout = 5, SESSION wait_timeout = 30' 'FLUSH TABLES WITH READ LOCK' "SELECT $gtids" >&"$asks"
  IFS= read -r stands <&"$answers" || return 1
  position_before=$stands
}

# Passes on what mysqldump says, and ends the lock once that reads of what was there at one moment.
unlock_once_begun() {
  local line
  while IFS= read -r line; do
    case $line in
      '-- Setting savepoint'* | '-- Retrieving '*)
        [ -z "$asks" ] || printf '%s;\n' "SELECT 'held'" 'UNLOCK TABLES' >&"$asks"
        asks=
        ;;
      '-- '*) ;;
      *) printf '%s\n' "$line" ;;
    esac
  done
}

# HOST PORT: ends the session of a dump that waits too long for a table that another session has locked, and notes why.
# A change of a table keeps it until it is acknowledged: for ever where that is to be done by the very replica that is to
# have the copy.
end_when_held() {
  local waits complaints=/dev/null
  while sleep 1; do
    waits=$(
      ask "$1" "$2" "SELECT CONCAT(dumps.ID, ' ', $table_patience, ' s in ', COALESCE(dumps.DB, 'no database'), ' at: ',
          LEFT(REPLACE(dumps.INFO, CHAR(10), ' '), 100), '; another session has locked that',
          IF(EXISTS (SELECT 1 FROM information_schema.PROCESSLIST WHERE STATE LIKE 'Waiting for semi-sync ACK%'),
            ', and writes wait for acknowledgements: bring back a replica that can give them', ''))
        FROM information_schema.PROCESSLIST dumps JOIN information_schema.PROCESSLIST mine ON mine.ID = CONNECTION_ID()
        WHERE dumps.USER = mine.USER AND SUBSTRING_INDEX(dumps.HOST, ':', 1) = SUBSTRING_INDEX(mine.HOST, ':', 1)
          AND dumps.STATE LIKE 'Waiting for %' AND dumps.TIME >= $table_patience LIMIT 1"
    ) || continue
    [ -n "$waits" ] || continue
    printf '%s' "${waits#* }" >"$work/held"
    ask "$1" "$2" "KILL ${waits%% *}" || true # It has ended meanwhile.
  done
}

# HOST: why a dump of it has ended early.
why_ended() {
  if [ -s "$work/held" ]; then
    echo "the dump of $1 was given up after it had waited $(cat "$work/held")"
  else
    echo "the dump of $1 was broken off"
  fi
}

# HOST PORT ARGUMENT...: all that a server has, or what the arguments name, at one moment, and of MySQL the position of before.
dump_from() {
  local watcher status=0
  end_when_held "$1" "$2" >/dev/null &
  watcher=$!
  dump_with_position "$@" || status=$?
  kill "$watcher" || true
  return "$status"
}

dump_with_position() {
  if [ "${client[0]}" = mariadb ]; then
    dump_of "$@" 2>>"$work/errors"
  else
    printf "/* SET @@GLOBAL.GTID_PURGED='%s';*/\n" "$position_before"
    { dump_of "$@" 2>&1 >&3 | unlock_once_begun >>"$work/errors"; } 3>&1
  fi
}

dump_of() {
  local transport password
  choose_transport "$1"
  MYSQL_PWD=$password "${dump[@]}" "${transport[@]}" --host="$1" --port="$2" --protocol=tcp "${@:3}"
}

# HOST PORT: makes a server do what a dump says, without a trace in its binary log.
load_into() {
  local transport password
  choose_transport "$1"
  # Statements of binary logs hold any bytes.
  [ -z "${REPLAY:-}" ] || transport+=(--binary-mode)
  MYSQL_PWD=$password "${client[@]}" "${transport[@]}" --host="$1" --port="$2" --protocol=tcp --max-allowed-packet=1G \
    --skip-reconnect --init-command='SET SESSION sql_log_bin=0' 2>>"$work/errors"
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
# of it: tables of the server itself are emptied, never dropped, and the other accounts change only at the end. One of some databases has none of
# these tables, and is passed on as it is.
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
    -e "/^CREATE TABLE \`restored_/w $work/restored" \
    -e '}'
  [ -s "$work/restored" ] || return 0
  for table in "${account_tables[@]}"; do
    printf 'DELETE FROM mysql.%s WHERE User NOT IN (%s);\n' "$table" "${kept%,}"
    printf 'INSERT INTO mysql.%s SELECT * FROM mysql.restored_%s WHERE User NOT IN (%s);\n' "$table" "$table" "${kept%,}"
    printf 'DROP TABLE mysql.restored_%s;\n' "$table"
  done
  echo 'FLUSH PRIVILEGES;'
}

# Passes a dump on so that the events in it do not run where it is loaded, as if they had come by replication.
stopping_events() {
  local name='`([^`]|``)*`' follower=REPLICA
  case $target_version in
    *MariaDB* | 8.[01].*) follower=SLAVE ;;
  esac
  # No word of a schedule has a P, so this ends before any text of the user.
  sed -E "s%^(/\*![0-9]+ CREATE\*/ (/\*![0-9]+ DEFINER=$name(@$name)?\*/ )?/\*![0-9]+ EVENT $name ON SCHEDULE [^P]* \
ON COMPLETION (NOT )?PRESERVE) ENABLE %\1 DISABLE ON $follower %"
}

# HOST PORT GTIDS [SECONDS]: waits until a server has these. A copy without would never get those of them that the server which is given it wrote
# itself, for it passes over what comes to it with its own server_id.
await_position() {
  local has tries
  for ((tries = 0; tries < ${4:-60}; tries++)); do
    has=$(ask "$1" "$2" "SELECT $gtids") || fail "$1 cannot be asked"
    ! includes "$1" "$2" "$has" "$3" || return 0
    sleep 1
  done
  fail "$1 is at '$has', and does not come to have all of '$3'"
}

# HOST PORT: remembers what a dump of it must have that is made from here on. MariaDB's dump needs no lock; one of MySQL is made without when writes
# do not end, if nothing was written for as long as that was looked at.
note_position() {
  local tries
  asks= answers=
  for ((tries = 0; tries < 100; tries++)); do
    position_before=$(ask "$1" "$2" "SELECT $gtids") || fail "$1 cannot be asked"
    [ "${client[0]}" != mariadb ] || return 0
    ! lock_writes "$1" "$2" || return 0
    exec {asks}>&- {answers}<&-
    asks= answers=
    sleep $((tries < 10 ? 3 : 30))
    [ "$(ask "$1" "$2" "SELECT $gtids")" != "$position_before" ] || return 0
  done
  fail "$1 could not be kept from being written to for a moment"
}

# HOST PORT: whether a dump is of one moment, now that it is there.
at_one_moment() {
  local held
  [ "${client[0]}" != mariadb ] || return 0
  if [ -z "$asks" ]; then
    [ "$(ask "$1" "$2" "SELECT $gtids")" = "$position_before" ]
    return
  fi
  printf '%s;\n' "SELECT 'ended'" >&"$asks"
  IFS= read -r held <&"$answers" && [ "$held" = held ]
}

# HOST PORT: what is wrong with the position of a dump of it; nothing where all is well.
position_fault() {
  local dumped
  dumped=$(position)
  if ! at_one_moment "$1" "$2"; then
    echo "$1 may have been written to while it was dumped"
  elif [ -n "$position_before" ] && [ -z "$dumped" ]; then
    echo "the dump of $1 tells no position"
  elif [ ${#dumped} -gt 3500 ]; then
    echo "the position of $1 has ${#dumped} characters, and a Job can tell 3500"
  elif ! includes "$1" "$2" "$dumped" "$position_before"; then
    echo "the dump of $1 is at '$dumped', and $1 was at '$position_before' before that"
  fi
}

# HOST PORT GTIDS GTIDS: whether the first have all of the second, as a server sees it.
includes() {
  local gtid domain number
  local -A reached=()
  if [ "${client[0]}" != mariadb ]; then
    [ "$(ask "$1" "$2" "SELECT GTID_SUBSET('$4', '$3')")" = 1 ]
    return
  fi
  # Numbers only rise in a domain, whoever writes.
  for gtid in ${3//,/ }; do
    domain=${gtid%%-*} number=${gtid##*-}
    [ "${reached[$domain]:-0}" -ge "$number" ] || reached[$domain]=$number
  done
  for gtid in ${4//,/ }; do
    [ "${reached[${gtid%%-*}]:-0}" -ge "${gtid##*-}" ] || return 1
  done
}

# KEY VALUE...: what the operator reads, once the Job has ended. A message may be cut off; all of it must be less than 4096 bytes.
report() {
  local json= separator= value
  while [ $# -gt 0 ]; do
    value=$2
    [ "$1" != message ] || value=${value:0:1000}
    value=${value//\\/\\\\}
    value=${value//\"/\\\"}
    json+="$separator\"$1\":\"${value//[[:cntrl:]]/ }\"" separator=,
    shift 2
  done
  printf '{%s}' "$json" >"${TERMINATION_LOG:-/dev/termination-log}"
}

# WHY: ends the Job before anything of $TARGET_HOST was changed.
untouched() {
  fail "nothing of $TARGET_HOST was touched: $1"
}

# MESSAGE: ends the Job, when the session that was to change $TARGET_HOST has ended early.
broken_off() {
  ! grep -qF "$changed" "$work/errors" || untouched "$changed"
  fail "$1"
}

# MESSAGE: ends the Job, with the last word of whichever program failed.
fail() {
  local word
  cat "$work/errors" >&2
  word=$(tail -n 1 "$work/errors")
  report message "$1${word:+: $word}"
  exit 1
}
