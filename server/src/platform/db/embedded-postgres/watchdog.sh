# PostgreSQL's parent. Handed to `sh -c` as text; the arguments are the server's command line.
# File descriptor 3 is the reading end of a pipe that Fieldroom holds open as long as it lives. When it closes, even by
# a kill -9, the server is asked for a fast shutdown (SIGINT); if that hangs, for an immediate one (SIGQUIT), which loses
# nothing that was confirmed; in the end it is killed. This shell ends with the server and with its code.

# A service manager may signal every process of the service; the server's end is then ordered by Fieldroom, not by us.
trap : HUP INT TERM

"$@" 3<&- </dev/null &
server=$!

{
  read -r _ <&3
  # Close our descriptors: a reader at their other end would wait for a sleep that outlives us.
  exec 3<&- </dev/null >/dev/null 2>&1
  for end in INT QUIT KILL; do
    kill -"$end" "$server" || exit 0
    sleep 2
  done
} &
lifeline=$!

# A trapped signal interrupts `wait`, so ask again as long as the server is there.
while :; do
  wait "$server"
  code=$?
  kill -0 "$server" 2>/dev/null || break
done
# By force: a shell that was forked a moment ago loses a milder signal, and would hold our descriptors for ever.
kill -KILL "$lifeline" 2>/dev/null
exit "$code"
