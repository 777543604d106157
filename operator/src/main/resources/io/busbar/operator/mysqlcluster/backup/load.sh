# Follows on verify.sh. Arguments are accounts to be kept; none with a dump of some databases, which holds no accounts.
keep() {
  if [ $# -eq 0 ]; then cat; else keeping_accounts "$@"; fi
}
gzip -dc "$file" | keep "$@" | load_into "$TARGET_HOST" "$TARGET_PORT" || fail "$FILE could not be loaded into $TARGET_HOST"
report loaded "$FILE"
