dump_from "$DONOR_HOST" "$DONOR_PORT" --all-databases | marked |
  "$client" --host="$TARGET_HOST" --port="$TARGET_PORT" --user="$OPERATOR" --protocol=tcp --init-command='SET SESSION sql_log_bin=0' ||
  fail "the copy from $DONOR_HOST to $TARGET_HOST was broken off"
require_complete
report gtid "$(position)"
