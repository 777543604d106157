# All of it lies in a file before anything of the member goes: a donor that is broken costs nothing.
require_complete_server "$DONOR_HOST" "$DONOR_PORT"
await_position "$DONOR_HOST" "$DONOR_PORT" "$REQUIRED_POSITION"
note_position "$DONOR_HOST" "$DONOR_PORT"
dump_from "$DONOR_HOST" "$DONOR_PORT" --all-databases | marked | gzip -c 2>>"$work/errors" >"$work/dump.gz" ||
  untouched "$(why_ended "$DONOR_HOST")"
gzip -t "$work/dump.gz" 2>>"$work/errors" || untouched "the dump of $DONOR_HOST cannot be read again"
grep -q '^-- Dump completed' "$work/end" || untouched "the dump of $DONOR_HOST is not complete"
fault=$(position_fault "$DONOR_HOST" "$DONOR_PORT")
[ -z "$fault" ] || untouched "$fault"
[ -n "$(position)" ] || untouched "the dump of $DONOR_HOST tells no position"
require_meant_target
require_unused_target
keep_programs_out
require_known_version
erasure=$(erasure) || untouched "its databases cannot be listed"
{
  unless_changed
  printf '%s\n' "$erasure"
  gzip -dc "$work/dump.gz" | stopping_events | keeping_accounts "$OPERATOR" "$REPLICATION"
} | load_into "$TARGET_HOST" "$TARGET_PORT" || broken_off "the copy from $DONOR_HOST to $TARGET_HOST was broken off"
report gtid "$(position)"
