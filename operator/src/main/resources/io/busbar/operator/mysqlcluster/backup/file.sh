# Backups are files in $STORAGE: one is there under its name only once it is whole.
prepare() {
  file=$STORAGE/$FILE
  folder=${file%/*}
  partial=$folder/.${file##*/}.partial
  mkdir -p "$folder" 2>>"$work/errors" || fail "the storage of backups cannot be written to"
  [ ! -e "$file" ] || fail "$FILE is there already: remove it, or give the backup another name"
  # Left by one that was killed: only one backup of a cluster is made at a time.
  rm -f "$folder"/.*.partial
  trap 'rm -f "$partial"' EXIT
}

store() {
  gzip -c 2>>"$work/errors" >"$partial"
}

is_unwanted() {
  false
}

conclude() {
  local sha256 size
  sync "$partial" 2>>"$work/errors" || fail "the backup cannot be written out to the storage"
  sha256=$(sha256sum <"$partial") size=$(stat -c %s "$partial")
  mv -T "$partial" "$file" 2>>"$work/errors" || fail "$FILE cannot be made in the storage"
  sync "$folder"
  report file "$FILE" sha256 "${sha256%% *}" sizeBytes "$size" gtid "$(position)"
}

# Opens data, once the file is verified: nothing is loaded of one that is not what it was when it was made.
receive() {
  local sha256
  file=$STORAGE/$FILE
  [ -f "$file" ] || fail "there is no file $FILE in the storage"
  sha256=$(sha256sum <"$file" 2>>"$work/errors") || fail "$FILE cannot be read"
  [ "${sha256%% *}" = "$SHA256" ] || fail "$FILE is not what it was when the backup was made: its SHA-256 is ${sha256%% *}"
  gzip -dc "$file" 2>>"$work/errors" | tail -n 1 | grep -q '^-- Dump completed' || fail "$FILE is not complete"
  exec {data}<"$file"
}

why_cut_off() {
  :
}
