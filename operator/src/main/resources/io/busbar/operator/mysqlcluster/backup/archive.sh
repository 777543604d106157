# Follows on pipe.sh: tells the other container which binary logs $SOURCE_HOST has, and sends those of MariaDB that it asks for. See Transfer.
if [ "${client[0]}" = mariadb ]; then
  purged="SELECT ''"
  command -v mariadb-binlog >/dev/null ||
    fail "the image of the database has no mariadb-binlog, which reads binary logs: choose one that has it by spec.image"
else
  purged='SELECT REPLACE(@@GLOBAL.gtid_purged, CHAR(10), SPACE(0))'
fi

# KEY VALUE...: one line.
tell() {
  TERMINATION_LOG=$work/line report "$@"
  { cat "$work/line" && echo; } >&"$data"
}

# Sets word.
hear() {
  IFS= read -r word <&"$heard" || exit 1
}

# STATEMENT
source_says() {
  ask "$SOURCE_HOST" "$SOURCE_PORT" "$1" || fail "$SOURCE_HOST cannot be asked"
}

# FILE: what the server had executed before it. MySQL breaks that into lines.
start_of() {
  if [ "${client[0]}" = mariadb ]; then
    source_says "SHOW BINLOG EVENTS IN '$1' LIMIT 3" | sed -n 's/^.*\tGtid_list\t.*\[\(.*\)\]$/\1/p'
  else
    source_says "SHOW BINLOG EVENTS IN '$1' LIMIT 1, 1" | tr -d '\n' | cut -f6-
  fi
}

list_files() {
  source_says 'SHOW BINARY LOGS' | cut -f1
}

# FILE: makes it $work/log.FILE, as the server has it.
fetch() {
  local transport password
  choose_transport "$SOURCE_HOST"
  MYSQL_PWD=$password TZ=UTC mariadb-binlog "${transport[@]}" --host="$SOURCE_HOST" --port="$SOURCE_PORT" --protocol=tcp \
    --read-from-remote-server --raw --result-file="$work/log." "$1" 2>>"$work/errors"
}

prepare
read_only=$(source_says 'SELECT @@GLOBAL.read_only')
case $read_only in
  0 | OFF) ;;
  *) fail "$SOURCE_HOST is not the primary any more" ;;
esac

# What nobody has written since the last file was begun needs no new one.
executed=$(source_says "SELECT $gtids")
current=$(list_files | tail -n 1)
[ -n "$current" ] || fail "$SOURCE_HOST has no binary log"
began=$(start_of "$current")
[ "$(sorted "$began")" = "$(sorted "$executed")" ] || source_says 'FLUSH NO_WRITE_TO_BINLOG BINARY LOGS'

# Before the list of files: what is purged meanwhile is a file that cannot be fetched, and not one that was never there.
gone=$(source_says "$purged")
mapfile -t files < <(list_files)
[ ${#files[@]} -gt 0 ] || fail "$SOURCE_HOST has no binary log"
version=$(source_says 'SELECT VERSION()')
# Last: all that is archived by now is in it, if the histories are one.
executed=$(source_says "SELECT $gtids")
tell server "$SOURCE_NAME" serverVersion "$version" executed "$executed" purged "$gone"

word=earlier
for ((i = ${#files[@]} - 1; i >= 0; i--)); do
  began=$(start_of "${files[i]}")
  tell file "${files[i]}" start "$began"
  hear
  [ "$word" = earlier ] || break
done
[ "$word" != earlier ] || tell file ''

while hear && [ "$word" != done ]; do
  fetch "$word" || fail "$word of $SOURCE_HOST cannot be fetched"
  tell sizeBytes "$(stat -c %s "$work/log.$word")"
  cat "$work/log.$word" >&"$data"
  rm -f "$work/log.$word"
done
