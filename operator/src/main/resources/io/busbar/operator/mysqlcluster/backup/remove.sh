file=$STORAGE/$FILE
folder=${file%/*}
# With what was left of it when it was killed half-way.
rm -f "$file" "$folder/.${file##*/}.partial" 2>>"$work/errors" || fail "$FILE cannot be removed from the storage"
rmdir --ignore-fail-on-non-empty "$folder" 2>/dev/null || true
report removed "$FILE"
