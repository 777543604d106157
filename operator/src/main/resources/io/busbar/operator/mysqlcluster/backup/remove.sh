rm -f "$STORAGE/$FILE" 2>>"$work/errors" || fail "$FILE cannot be removed from the storage"
rmdir --ignore-fail-on-non-empty "$(dirname "$STORAGE/$FILE")" 2>/dev/null || true
report removed "$FILE"
