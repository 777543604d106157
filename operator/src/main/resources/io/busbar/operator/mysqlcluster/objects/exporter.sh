# Runs mysqld_exporter with these arguments: again when it has ended, and when what it logs in with has changed, which it reads only at its
# start. The shell stays whatever becomes of it: a Pod is ready as long as all its containers run, and the server beside this one must not
# leave its Services for want of metrics.
file=/etc/busbar/exporter/my.cnf

pause() {
  sleep "$1" &
  wait $!
}

# As the first process of its container, a shell is ended by no signal that it has not asked for.
trap 'kill "$exporter" 2>/dev/null; exit 0' TERM INT

while :; do
  known=$(cat "$file" 2>&1)
  mysqld_exporter "$@" &
  exporter=$!
  while kill -0 "$exporter" 2>/dev/null && [ "$(cat "$file" 2>&1)" = "$known" ]; do
    pause 5
  done
  kill "$exporter" 2>/dev/null
  wait "$exporter"
  pause 1
done
