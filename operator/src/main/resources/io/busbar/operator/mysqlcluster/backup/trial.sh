# Follows on file.sh or pipe.sh: loads the backup $FILE into a server of its own, which nobody else can reach, and compares a dump of that with what
# was loaded. What is found is the outcome of a Job that has done its work: only one that could not do it fails.

data_folder=$work/data
socket=$work/server.socket
mine=(--protocol=socket "--socket=$socket")

# Arguments are databases; all if there are none.
what=(--all-databases)
[ $# -eq 0 ] || what=(--databases -- "$@")

# The account that dumps: root may have gone with what was loaded.
account=busbar_verification

# Option files of the image are left out: what the servers of the cluster are given is in $SETTINGS.
start_server() {
  local -a options=("--defaults-file=$work/server.cnf" "--datadir=$data_folder" "--tmpdir=$work")
  printf '%s\n' "$SETTINGS" >"$work/server.cnf"
  [ "$(id -u)" != 0 ] || options+=(--user=root)
  if [ "${client[0]}" = mariadb ]; then
    mariadb-install-db "${options[@]}" --auth-root-authentication-method=normal --skip-test-db >"$work/server.log" 2>&1 || not_started
    server=mariadbd
  else
    options+=(--secure-file-priv=NULL)
    mysqld "${options[@]}" --initialize-insecure >"$work/server.log" 2>&1 || not_started
    server=mysqld
  fi
  "$server" "${options[@]}" "--socket=$socket" "--pid-file=$work/server.pid" >>"$work/server.log" 2>&1 &
  server=$!
  trap 'kill -KILL "$server" 2>/dev/null || true' EXIT
  until tell root 'DO 0' 2>/dev/null; do
    kill -0 "$server" 2>/dev/null || not_started
    sleep 0.2
  done
}

not_started() {
  grep -i error "$work/server.log" >>"$work/errors" || tail "$work/server.log" >>"$work/errors"
  cat "$work/errors" >&2
  report verdict NotVerified message "the server to load the backup into does not start: $(tail -n 1 "$work/errors")"
  exit 1
}

# USER STATEMENTS: rows as they are.
tell() {
  "${client[@]}" "${mine[@]}" --user="$1" --batch --raw --skip-column-names --execute="$2"
}

# VERDICT MESSAGE: ends the Job, which has done its work, with the last word of whichever program failed. What comes to it still is let through, so
# that who sends that sees no fault.
conclude_with() {
  local word
  cat "$work/errors" >&2
  [ -z "${data:-}" ] || cat <&"$data" >/dev/null
  word=$(tail -n 1 "$work/errors")
  report verdict "$1" message "$2${word:+: $word}"
  exit 0
}

# The SHA-256 of each part of a dump, after the name of the part. Comments are left out, for they tell of the moment; so is where a table goes on
# counting, which a load may move, how servers define their own tables, and what they keep in some of them about themselves. MariaDB names the database
# of a view's tables where the account of the view is not there, as with a dump of some databases.
parts() {
  awk -v own='^(proc|event|innodb_(index|table)_stats|(table|column|index)_stats|gtid_executed|gtid_slave_pos|slave_.*|(general|slow)_log)$' '
    function begin(name) {
      if (begun) { close("sha256sum") } else if (part != "") { print "-" }
      part = name; begun = 0
      if (part != "") { printf "%s\t", part; fflush() }
    }
    function quoted(line) { sub(/^[^`]*`/, "", line); sub(/`$/, "", line); return line }
    function without(text, line, at) {
      while ((at = index(line, text)) > 0) { line = substr(line, 1, at - 1) substr(line, at + length(text)) }
      return line
    }
    function of(what) { begin(database == "mysql" && (what == "the definition of" || quoted($0) ~ own) ? "" : what " `" database "`.`" quoted($0) "`") }
    /^-- Current Database: `/ { database = quoted($0); begin("the database `" database "`"); next }
    /^-- Server version/ { sub(/-.*/, "", $4); print "version " $4; next }
    /^-- (Table|Temporary table|Temporary view) structure for / { of("the definition of"); next }
    /^-- Final view structure for / { of("the view"); next }
    /^-- Dumping data for table / { of("the rows of"); next }
    /^-- Dumping events for database / { begin("the events of `" database "`"); next }
    /^-- Dumping routines for database / { begin("the routines of `" database "`"); next }
    /^-- / || /^--$/ { next }
    /^\/\* SET @@GLOBAL.GTID_PURGED=/, /;\*\/$/ { next }
    /^\/\*!50003 SET @saved_cs_client / && sub(/^the rows of/, "the triggers of", part) { begin(part) }
    /^\) ENGINE=/ { sub(/ AUTO_INCREMENT=[0-9]+/, "") }
    /^\/\*!50001 VIEW `/ { $0 = without("`" database "`.", $0) }
    part != "" { begun = 1; print | "sha256sum" }
    END { begin("") }'
}

# FILE: the parts in it that can be compared: another version of a server writes the same rows, and the rest in its own way.
comparable() {
  if [ "$(head -n 1 "$work/loaded")" = "$(head -n 1 "$work/again")" ]; then
    tail -n +2 "$1"
  else
    sed -n '/^the rows of `mysql`\./d; /^the rows of /p' "$1"
  fi
}

# The statements by which an account comes that is not in the tables: who logs in is looked for in memory.
making_account() {
  printf '%s;\n' 'FLUSH PRIVILEGES' "CREATE USER $account@localhost IDENTIFIED BY '$password'" \
    "GRANT SELECT, SHOW VIEW, TRIGGER, EVENT, LOCK TABLES, RELOAD, PROCESS, REPLICATION CLIENT ON *.* TO $account@localhost" \
    "DELETE FROM mysql.${account_tables[0]} WHERE User = '$account'"
}

# What servers find wrong with tables that were just filled, such as two rows with one key.
faulty_tables() {
  local table
  tell "$account" "SELECT CONCAT('\`', REPLACE(TABLE_SCHEMA, '\`', '\`\`'), '\`.\`', REPLACE(TABLE_NAME, '\`', '\`\`'), '\`')
    FROM information_schema.TABLES WHERE TABLE_TYPE = 'BASE TABLE' AND TABLE_SCHEMA NOT IN ('information_schema', 'performance_schema')" |
    sed 's/.*/CHECK TABLE &;/' |
    "${client[@]}" "${mine[@]}" --user="$account" --batch --raw --skip-column-names |
    awk -F '\t' '$3 == "error" || $3 == "Error" || ($3 == "status" && $4 != "OK" && $4 !~ /up to date/) { print $1 ": " $4 }'
}

start_server
# From here on, what is wrong is wrong with the backup.
fail() {
  conclude_with Unreadable "$1"
}
receive
password=Aa1-$(head -c 18 /dev/urandom | base64)
mkfifo "$work/copy"
parts <"$work/copy" >"$work/loaded" &
reader=$!
{
  gzip -dc <&"$data" | marked | tee "$work/copy" && making_account
} 2>>"$work/errors" | "${client[@]}" "${mine[@]}" --user=root --max-allowed-packet=1G --skip-reconnect \
  --init-command='SET SESSION sql_log_bin=0' 2>>"$work/errors" || {
  why_cut_off >>"$work/errors"
  conclude_with NotLoaded "$FILE cannot be loaded"
}
wait "$reader"
require_complete
[ "$(sorted "$(position)")" = "$(sorted "$GTID")" ] || conclude_with Different "$FILE is at '$(position)', and not at what its backup tells"
export MYSQL_PWD=$password
faulty=$(faulty_tables 2>>"$work/errors") || conclude_with Different "the tables of $FILE cannot be checked"
[ -z "$faulty" ] || conclude_with Different "$FILE has a table that is not right: ${faulty%%$'\n'*}"
"${dump[@]}" "${mine[@]}" --user="$account" "${what[@]}" 2>"$work/complaints" | parts >"$work/again" || {
  grep -v '^-- ' "$work/complaints" >>"$work/errors" || true
  conclude_with Different "what $FILE brings cannot be dumped again"
}
comparable "$work/loaded" >"$work/wanted"
comparable "$work/again" >"$work/found"
differing=$({
  grep -vxFf "$work/found" "$work/wanted" || true
  grep -vxFf "$work/wanted" "$work/found" || true
} | cut -f 1 | awk '!seen[$0]++')
[ -z "$differing" ] || {
  printf '%s\n' "$differing" >&2
  conclude_with Different "$FILE is not what comes back once it is loaded, of $(wc -l <<<"$differing") parts: $(head -n 5 <<<"$differing" | paste -sd ';')"
}
conclude_with Verified "$FILE was loaded, and $(wc -l <"$work/wanted") parts of it came back as they were"
