# Makes $FILE in $STORAGE: it is there under its name only once it is whole. Arguments are databases; all if there are none.
file=$STORAGE/$FILE
folder=${file%/*}
partial=$folder/.${file##*/}.partial
what=(--all-databases)
[ $# -eq 0 ] || what=(--databases -- "$@")

mkdir -p "$folder" 2>>"$work/errors" || fail "the storage of backups cannot be written to"
[ ! -e "$file" ] || fail "$FILE is there already: remove it, or give the backup another name"
# Left by one that was killed: only one backup of a cluster is made at a time.
rm -f "$folder"/.*.partial
trap 'rm -f "$partial"' EXIT
require_complete_server "$SOURCE_HOST" "$SOURCE_PORT"
note_position "$SOURCE_HOST" "$SOURCE_PORT"
dump_from "$SOURCE_HOST" "$SOURCE_PORT" "${what[@]}" | marked | gzip -c 2>>"$work/errors" >"$partial" ||
  fail "$(why_ended "$SOURCE_HOST")"
require_complete
fault=$(position_fault "$SOURCE_HOST" "$SOURCE_PORT")
[ -z "$fault" ] || fail "$fault"
sync "$partial" 2>>"$work/errors" || fail "the backup cannot be written out to the storage"
sha256=$(sha256sum <"$partial") size=$(stat -c %s "$partial")
mv -T "$partial" "$file" 2>>"$work/errors" || fail "$FILE cannot be made in the storage"
sync "$folder"
report file "$FILE" sha256 "${sha256%% *}" sizeBytes "$size" gtid "$(position)"
