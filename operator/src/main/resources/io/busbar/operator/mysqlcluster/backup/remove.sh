file=$STORAGE/$FILE
folder=${file%/*}
# With what was left of it when it was killed half-way.
rm -f "$folder/.${file##*/}.partial" 2>>"$work/errors" || fail "$FILE cannot be removed from the storage"
# One that did not become whole may have failed as there was a file of that name: that is of another backup.
if [ -z "${WHOLE:-}" ]; then
  [ ! -e "$file" ] || fail "it may be of another backup of that name, as this one was not whole: remove it yourself"
else
  rm -f "$file" 2>>"$work/errors" || fail "$FILE cannot be removed from the storage"
fi
rmdir --ignore-fail-on-non-empty "$folder" 2>/dev/null || true
report removed "$FILE"
