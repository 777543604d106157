# Follows on file.sh or pipe.sh: loads the backup $FILE, and what binary logs add to it if $REPLAY is set. Arguments are accounts to be kept; none with a
# dump of some databases, which holds none.
keep() {
  if [ $# -eq 0 ]; then cat; else keeping_accounts "$@"; fi
}
receive
require_meant_target
[ "$target_incomplete" = 1 ] || untouched "it is complete, and was not erased to be given a backup"
{
  unless_changed
  # The storage may be silent for a while before it is asked again, and binary logs have parts that nothing comes of.
  echo 'SET SESSION wait_timeout = 600;'
  # One session, so that nobody comes between.
  gzip -dc <&"$data" | keep "$@" && { [ -z "${REPLAY:-}" ] || replay "$@"; }
} | load_into "$TARGET_HOST" "$TARGET_PORT" || {
  why_cut_off >>"$work/errors"
  broken_off "$FILE could not be loaded into $TARGET_HOST"
}
if [ -n "${REPLAY:-}" ]; then report loaded "$FILE" gtid "$(replayed)"; else report loaded "$FILE"; fi
