# The other container of the Job writes to S3 and reads from there: it is joined to this one by the pipes in $PIPE. When it fails it tells why
# itself, and this one ends without a word.

# Makes the pipes, and waits until the other container is ready. As long as $both is open, neither sees an end. What that says from then on comes
# out of $heard.
meet() {
  local words word
  mkfifo "$PIPE/data"
  exec {both}<>"$PIPE/data"
  if [ -n "${REPLAY:-}" ]; then
    mkfifo "$PIPE/logs"
    exec {both_logs}<>"$PIPE/logs"
  fi
  mkfifo "$PIPE/words"
  exec {words}<>"$PIPE/words"
  IFS= read -r -t 600 word <&"$words" ||
    fail "the container that reaches S3 has not come up in 10 minutes; see --storage-image"
  # From here on its end is seen.
  exec {heard}<"$PIPE/words" {words}>&-
  IFS= read -r word <&"$heard" || exit 1
}

prepare() {
  meet
  exec {data}>"$PIPE/data" {both}>&-
}

store() {
  gzip -c >&"$data" 2>>"$work/errors" || {
    touch "$work/unwanted"
    return 1
  }
}

# Whether the other container has ended before the dump.
is_unwanted() {
  [ -e "$work/unwanted" ]
}

# That this is there when the bytes have an end tells the other container that they are all.
conclude() {
  local version
  version=$(ask "$SOURCE_HOST" "$SOURCE_PORT" 'SELECT VERSION()') || fail "$SOURCE_HOST cannot be asked"
  TERMINATION_LOG=$PIPE/outcome report gtid "$(position)" serverVersion "$version"
}

# Opens data, once the other container has verified what comes out of it. Whoever opened the pipe anew would wait for good where all of a small
# backup has been written by then.
receive() {
  meet
  exec {data}<"$PIPE/data" {both}>&-
  if [ -n "${REPLAY:-}" ]; then
    exec {logs}<"$PIPE/logs" {both_logs}>&-
  fi
}

# ACCOUNT...: the statements of the binary logs that follow on the file. Whatever they say of these accounts, in the end they are as they were, with
# the passwords that the operator knows.
replay() {
  local table kept
  kept=$(printf "'%s'," "$@")
  for table in "${account_tables[@]}"; do
    # Left by one that broke off: the mark stays when a server is erased again.
    printf 'DROP TABLE IF EXISTS %s.%s;\n' "$MARK" "$table"
    printf 'CREATE TABLE %s.%s AS SELECT * FROM mysql.%s WHERE User IN (%s);\n' "$MARK" "$table" "$table" "${kept%,}"
  done
  gzip -dc <&"$logs" 2>>"$work/errors" | "${binlog[@]}" - 2>>"$work/errors" || return
  printf '%s;\n' 'ROLLBACK' 'SET SESSION autocommit = 1, SESSION sql_mode = DEFAULT'
  for table in "${account_tables[@]}"; do
    printf 'DELETE FROM mysql.%s WHERE User IN (%s);\n' "$table" "${kept%,}"
    printf 'INSERT INTO mysql.%s SELECT * FROM %s.%s;\n' "$table" "$MARK" "$table"
    printf 'DROP TABLE %s.%s;\n' "$MARK" "$table"
  done
  echo 'FLUSH PRIVILEGES;'
}

# Nothing where all is well.
why_no_binlog() {
  command -v "${binlog[0]}" >/dev/null ||
    echo "the image of the cluster has no program ${binlog[0]}, by which binary logs are read: give spec.image one that has it"
}

# Where a server stands that was given all of it.
replayed() {
  cat "$PIPE/position"
}

# Why that file had an end too early, where the other container knows.
why_cut_off() {
  cat "$PIPE/failed" 2>/dev/null || true
}
