# Copies the data files of one server of MariaDB to another: mariadb-backup reads and writes files, and so runs beside them.
#   serve   in a container beside each server: lets others come for its files, for good
#   give    for one that has come: who it is, and then the files
#   take    before a server starts: the files of another one, if the operator has asked for that
# The operator asks in the comment of the database $MARK, which the server keeps in a file, and reads there what has become of it.
set -euo pipefail
export LC_ALL=C
mark=$DATA/$MARK
files=$mark/files

# Nothing that goes wrong here may keep a server down that is asked for nothing.
[ "$1" != take ] || [ -e "$mark" ] || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The last of what is given is this and the position, in so many bytes: a stream that was cut off does not have it.
end=busbar-has-given-all
end_bytes=2048

# What the comment of a database holds.
longest_position=1000

# A donor that says nothing for so many seconds is gone.
patience=300

lacking() {
  local tool
  for tool in mariadb-backup mbstream mariadb mariadbd socat find awk sha256sum od; do
    command -v "$tool" >/dev/null || echo "the image has no $tool"
  done
}

# OPTION: for an address of socat; nothing where it is too old to know it.
if_known() {
  case $(socat -hhh 2>/dev/null || true) in
    *"$1"*) printf ',%s' "$1${2:-}" ;;
  esac
}

# NONCE NONCE: what only who has the operator's password can answer. The password itself does not travel.
proof() {
  printf '%s\n' "$1" "$2" "$(cat "$PASSWORD_FILE")" | sha256sum | cut -c -64
}

nonce() {
  od -An -N 16 -tx1 /dev/urandom | tr -d ' \n'
}

# What is made by one release another may not read.
release() {
  mariadbd --no-defaults --version | sed -n 's/^.*Ver \([0-9]*\.[0-9]*\.[0-9]*\).*/\1/p'
}

# It goes on whatever becomes of what it starts: a Pod is ready as long as all its containers run, and the server beside this one must not leave its
# Services for want of this.
serve() {
  local listener='' known missing
  pause() {
    sleep "$1" &
    wait $!
  }
  trap 'kill $listener 2>/dev/null; exit 0' TERM INT
  while missing=$(lacking) && [ -n "$missing" ]; do
    echo "no data files are given: $missing"
    pause 3600
  done
  printf '%s\n' "$BASH_EXECUTION_STRING" >"$work/script"
  while :; do
    known=$(cat "$CERTIFICATES/tls.crt" 2>&1) || true
    # It reads its certificate once. Who is being given files has a process of its own, and keeps it.
    socat -T "$patience" "$(listening),reuseaddr,fork,max-children=10" "EXEC:bash $work/script give" &
    listener=$!
    while kill -0 "$listener" 2>/dev/null && [ "$(cat "$CERTIFICATES/tls.crt" 2>&1)" = "$known" ]; do
      pause 5
    done
    kill "$listener" 2>/dev/null || true
    wait "$listener" || true
    pause 1
  done
}

listening() {
  local family=4 own=$POD_IP
  case $own in *:*) family=6 own=[$own] ;; esac
  if [ -e "$CERTIFICATES/tls.crt" ]; then
    echo "OPENSSL-LISTEN:$PORT,pf=ip$family,bind=$own,cert=$CERTIFICATES/tls.crt,key=$CERTIFICATES/tls.key,verify=0$(
      if_known openssl-min-proto-version =TLS1.2
    )"
  else
    echo "TCP$family-LISTEN:$PORT,bind=$own"
  fi
}

# Over standard input and output, which lead to who has come.
give() {
  local own theirs answer port=3306 stands
  own=$(nonce)
  echo "$own $(release)"
  IFS=' ' read -r -n 200 -t 10 theirs answer || exit 0
  if [ ! -s "$PASSWORD_FILE" ] || [ "$answer" != "$(proof "$own" "$theirs")" ]; then
    echo "no: it does not know the operator's password"
    exit 0
  fi
  if [ -e "$mark" ]; then
    echo "no: the donor has itself only part of a copy"
    exit 0
  fi
  login >"$work/login.cnf"
  # Programs may hold all connections of the other.
  ! (exec 3<>"/dev/tcp/$POD_IP/$ADMINISTRATION_PORT") 2>/dev/null || port=$ADMINISTRATION_PORT
  echo "yes $(proof "$theirs" "$own") $(du -sk --exclude='binlog.*' "$DATA" | cut -f 1)"
  if mariadb-backup --defaults-file="$work/login.cnf" --backup --stream=mbstream --datadir="$DATA" --target-dir="$work" \
    --host="$POD_IP" --port="$port" 2>"$work/log"; then
    # What mariadb-backup says of GTIDs leaves out those that others have written under numbers of their own.
    stands=$(sed -n "s/^.* binlog position: filename '\([^']*\)', position '\([0-9]*\)'.*/BINLOG_GTID_POS('\1', \2)/p" "$work/log" | tail -n 1)
    stands=$(mariadb --defaults-file="$work/login.cnf" --host="$POD_IP" --port="$port" --protocol=tcp --batch --skip-column-names \
      --execute="SELECT $stands")
    printf "%-${end_bytes}s" "$end $stands" | head -c "$end_bytes"
  else
    grep -v '^\[00\].* completed OK' "$work/log" | tail -n 5 >&2
  fi
}

login() {
  local group
  for group in client mariabackup; do
    printf '[%s]\nuser=%s\npassword="%s"\n' "$group" "$OPERATOR" "$(cat "$PASSWORD_FILE")"
    # Within the Pod, and so without a look at whose certificate it is.
    [ ! -e "$CERTIFICATES/ca.crt" ] || printf 'ssl\nssl-ca=%s\nskip-ssl-verify-server-cert\n' "$CERTIFICATES/ca.crt"
  done
}

# What is said of the copy where the operator reads it.
tell() {
  sed '/^comment=/d' "$mark/db.opt" >"$work/db.opt"
  printf 'comment=%s\n' "$1" >>"$work/db.opt"
  cp "$work/db.opt" "$mark/db.opt.new"
  sync "$mark/db.opt.new"
  mv "$mark/db.opt.new" "$mark/db.opt"
  sync "$mark"
}

told() {
  sed -n 's/^comment=//p' "$mark/db.opt" 2>/dev/null || true
}

# Nothing of what the server has is gone: it starts with that.
broken_off() {
  local why
  why=$(printf '%s' "$1" | tr -c '[:print:]' ' ' | tr -d '\\' | cut -c -500)
  rm -rf "$files"
  tell "broken off: $why"
  echo "broken off: $why"
  exit 0
}

last_error() {
  local error
  error=$(grep -a -i 'error\|cannot\|failed\|no space\|too large' "$work/log" | tail -n 1 | sed 's/^\[[0-9]*\] [0-9-]* [0-9:]* *//')
  echo "${error:-it does not say why}"
}

take() {
  local state
  state=$(told)
  case $state in
    "wanted from "*)
      tell begun
      state=${state#wanted from }
      receive "${state% at *}"
      replace
      ;;
    begun) broken_off 'it ended in the middle of it' ;;
    "removing "* | "moving "*) replace ;;
    *) rm -rf "$files" ;;
  esac
}

# HOST: all of its files, as they were at one moment, in the folder beside the others.
receive() {
  local host=$1 from to theirs its own answer proof kilobytes missing position
  missing=$(lacking)
  [ -z "$missing" ] || broken_off "${missing%%$'\n'*}"
  [ -s "$PASSWORD_FILE" ] || broken_off "the operator's password is not there"
  rm -rf "$files"
  mkdir "$files"
  mkfifo "$work/to" "$work/from"
  socat -T "$patience" - "$(donor_address "$host")" <"$work/to" >"$work/from" 2>"$work/socat" &
  exec {to}>"$work/to" {from}<"$work/from"
  IFS=' ' read -r -t 20 -u "$from" theirs its || broken_off "cannot connect to $host: $(why_not_connected)"
  [ "$its" = "$(release)" ] || broken_off "$host runs $its, and this image has $(release)"
  own=$(nonce)
  printf '%s %s\n' "$own" "$(proof "$theirs" "$own")" >&"$to"
  IFS=' ' read -r -t 60 -u "$from" answer proof kilobytes || broken_off "$host has gone away"
  case $answer in
    no:) broken_off "$host: $proof $kilobytes" ;;
    yes) ;;
    *) broken_off "$host answers something else" ;;
  esac
  [ "$proof" = "$(proof "$own" "$theirs")" ] || broken_off "$host does not know the operator's password"
  [ "$(df -Pk "$files" | awk 'NR == 2 { print $4 }')" -gt "$kilobytes" ] ||
    broken_off "there is no room for the $((kilobytes / 1024)) MiB of $host beside what is there"
  receive_files "$host"
  mariadb-backup --no-defaults --prepare --target-dir="$files" 2>"$work/log" || broken_off "the files cannot be prepared: $(last_error)"
  # Those of its primary would run here.
  echo "UPDATE mysql.event SET status = 'SLAVESIDE_DISABLED', created = created, modified = modified WHERE status = 'ENABLED';" |
    mariadbd --defaults-file="$files/backup-my.cnf" --bootstrap --datadir="$files" --skip-log-bin $(as_root) 2>"$work/log" ||
    broken_off "events cannot be stopped: $(last_error)"
  position=$(cut -d ' ' -f 2 "$work/end")
  [ -n "$position" ] && [ "$position" != NULL ] || broken_off "$host has no position"
  [ "${#position}" -le "$longest_position" ] || broken_off "the position of $host is too long"
  remove_notes
  sync -f "$files"
  tell "removing $position"
}

receive_files() {
  local fed=0
  mkfifo "$work/all"
  tail -c "$end_bytes" <"$work/all" >"$work/end" &
  tee "$work/all" <&"$from" | head -c "-$end_bytes" | mbstream -x -C "$files" 2>"$work/log" || fed=$?
  wait $!
  [ "$fed" = 0 ] && [ "$(cut -d ' ' -f 1 "$work/end" | head -c 100)" = "$end" ] ||
    broken_off "$1 has not given all, or not all could be written: $(last_error)"
}

why_not_connected() {
  local error
  error=$(sed -n 's/^.*\] E //p' "$work/socat" | tail -n 1)
  echo "${error:-it does not answer}"
}

# Of mariadb-backup, by the names that releases give them.
remove_notes() {
  local name
  for name in binlog_info binlog_pos_innodb checkpoints galera_info info slave_info; do
    rm -f "$files/xtrabackup_$name" "$files/mariadb_backup_$name"
  done
  rm -f "$files/backup-my.cnf" "$files/ib_buffer_pool"
}

as_root() {
  [ "$(id -u)" != 0 ] || echo --user=root
}

donor_address() {
  local host=$1
  case $1 in *:*) host=[$1] ;; esac
  if [ ! -e "$CERTIFICATES/ca.crt" ]; then
    echo "TCP:$host:$PORT,connect-timeout=10"
    return
  fi
  echo "OPENSSL:$host:$PORT,connect-timeout=10,cafile=$CERTIFICATES/ca.crt,verify=1$(
    if_known openssl-min-proto-version =TLS1.2
    # Its certificate holds for its name; an address ends in a digit, or is one of IPv6.
    case $1 in *:* | *[0-9]) printf ',openssl-commonname=' && if_known openssl-no-sni ;; esac
  )"
}

# Goes on where it was ended.
replace() {
  local state position
  state=$(told) position=${state#* }
  if [ "${state%% *}" = removing ]; then
    # The image has noted of which release the tables are, and these are of the same. What cannot be removed, as a folder of snapshots, stays.
    find "$DATA" -mindepth 1 -maxdepth 1 ! -path "$mark" ! -name lost+found ! \( -type f -name '*_upgrade_info' \) -exec rm -rf {} + ||
      echo "not all that was there could be removed"
    tell "moving $position"
  fi
  if [ -d "$files" ]; then
    find "$files" -mindepth 1 -maxdepth 1 -exec mv -t "$DATA" {} +
    rmdir "$files"
  fi
  sync -f "$DATA"
  tell "whole $position"
}

"$1"
