# Follows on verify.sh. Arguments are accounts to be kept; none with a dump of some databases, which holds no accounts.
keep() {
  if [ $# -eq 0 ]; then cat; else keeping_accounts "$@"; fi
}
require_meant_target
[ "$target_incomplete" = 1 ] || untouched "it is complete, and was not erased to be given a backup"
{
  unless_changed
  gzip -dc "$file" | keep "$@"
} | load_into "$TARGET_HOST" "$TARGET_PORT" || broken_off "$FILE could not be loaded into $TARGET_HOST"
report loaded "$FILE"
