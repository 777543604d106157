#!/bin/bash
# Stands in for mysqld_exporter: reads what to log in with once, when it starts, and asks the server for what it counts again and again, as that
# one does at each scrape. What came of it is a line each: "up", or "down" and why. Not imitated: pages over HTTP, other flags, and that the
# name in a certificate is verified. The server is at $SERVER_ADDRESS, not at the address of the flag: all Pods here share one loopback.
for argument; do
  case $argument in
    --config.my-cnf=*) file=${argument#*=} ;;
    --mysqld.address=*) port=${argument##*:} ;;
  esac
done
read_once=$(mktemp)
cat "$file" > "$read_once" || exit 1
client=$(command -v mariadb || command -v mysql)

while :; do
  if error=$("$client" --defaults-file="$read_once" --host="$SERVER_ADDRESS" --port="$port" --protocol=tcp --batch \
    --execute='SHOW GLOBAL STATUS' 2>&1 >/dev/null); then
    echo up
  else
    echo "down: $error"
  fi
  sleep 1
done
