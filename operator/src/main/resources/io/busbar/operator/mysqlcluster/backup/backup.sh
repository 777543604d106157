# Follows on file.sh or pipe.sh: makes the backup $FILE. Arguments are databases; all if there are none.
what=(--all-databases)
[ $# -eq 0 ] || what=(--databases -- "$@")

prepare
require_complete_server "$SOURCE_HOST" "$SOURCE_PORT"
# A backup has at least what was committed before its Job began. Of a primary that is away nobody knows what that is.
if [ -n "${PRIMARY_HOST:-}" ] && committed=$(complaints=/dev/null ask "$PRIMARY_HOST" "$PRIMARY_PORT" "SELECT $gtids"); then
  await_position "$SOURCE_HOST" "$SOURCE_PORT" "$committed" "${POSITION_PATIENCE:-600}"
fi
note_position "$SOURCE_HOST" "$SOURCE_PORT"
dump_from "$SOURCE_HOST" "$SOURCE_PORT" "${what[@]}" | marked | store || {
  ! is_unwanted || exit 1
  fail "$(why_ended "$SOURCE_HOST")"
}
require_complete
fault=$(position_fault "$SOURCE_HOST" "$SOURCE_PORT")
[ -z "$fault" ] || fail "$fault"
conclude
