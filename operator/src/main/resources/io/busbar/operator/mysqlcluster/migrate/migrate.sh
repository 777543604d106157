# Gives $TARGET_HOST, which was erased, the databases of $OUTSIDE_HOST as they are at one moment. What that one knows of accounts and of itself stays
# there. Nothing is kept on a disk meanwhile.
require_meant_target
[ "$target_incomplete" = 1 ] || untouched "it is complete, and was not erased to be given a copy"
require_known_version
names=$(ask "$OUTSIDE_HOST" "$OUTSIDE_PORT" 'SHOW DATABASES') || untouched "$OUTSIDE_HOST cannot be asked for its databases"
databases=()
while IFS= read -r name; do
  case ${name,,} in
    '' | mysql | information_schema | performance_schema | sys | "$MARK") ;;
    *) databases+=("$name") ;;
  esac
done <<<"$names"
[ ${#databases[@]} -gt 0 ] || untouched "$OUTSIDE_HOST has no databases that this account may see"
note_position "$OUTSIDE_HOST" "$OUTSIDE_PORT"
{
  unless_changed
  # The dump may wait for a table.
  echo "SET SESSION wait_timeout = $((table_patience + 60));"
  dump_from "$OUTSIDE_HOST" "$OUTSIDE_PORT" --databases -- "${databases[@]}" | marked | stopping_events
} | load_into "$TARGET_HOST" "$TARGET_PORT" || {
  why_ended "$OUTSIDE_HOST" >>"$work/errors"
  broken_off "the databases of $OUTSIDE_HOST could not be loaded into $TARGET_HOST"
}
require_complete
fault=$(position_fault "$OUTSIDE_HOST" "$OUTSIDE_PORT")
[ -z "$fault" ] || fail "$fault"
[ -n "$(position)" ] || fail "the dump of $OUTSIDE_HOST tells no position: nothing was ever written there under a GTID"
report gtid "$(position)"
