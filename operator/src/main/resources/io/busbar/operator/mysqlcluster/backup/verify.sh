# Nothing is loaded of a file that is not what it was when it was made.
file=$STORAGE/$FILE
[ -f "$file" ] || fail "there is no file $FILE in the storage"
sha256=$(sha256sum <"$file" 2>>"$work/errors") || fail "$FILE cannot be read"
[ "${sha256%% *}" = "$SHA256" ] || fail "$FILE is not what it was when the backup was made: its SHA-256 is ${sha256%% *}"
gzip -dc "$file" 2>>"$work/errors" | tail -n 1 | grep -q '^-- Dump completed' || fail "$FILE is not complete"
