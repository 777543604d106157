dump_from "$DONOR_HOST" "$DONOR_PORT" --all-databases | marked | keeping_accounts "$OPERATOR" "$REPLICATION" |
  load_into "$TARGET_HOST" "$TARGET_PORT" ||
  fail "the copy from $DONOR_HOST to $TARGET_HOST was broken off"
require_complete
report gtid "$(position)"
