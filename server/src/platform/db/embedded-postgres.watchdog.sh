# PostgreSQL's parent. Handed to `sh -c` as text; the arguments are the server's command line.
# File descriptor 3 is the reading end of a pipe that Fieldroom holds open as long as it lives. When it closes, even by
# a kill -9, the server is asked for a fast shutdown (SIGINT). This shell ends with the server and with its code.

# A service manager may signal every process of the service; the server's end is then ordered by Fieldroom, not by us.
trap : HUP INT TERM

"$@" 3<&- </dev/null &
server=$!

{ read -r _ <&3; kill -INT "$server" 2>/dev/null; } &
lifeline=$!

# A trapped signal interrupts `wait`, so ask again as long as the server is there.
while :; do
  wait "$server"
  code=$?
  kill -0 "$server" 2>/dev/null || break
done
kill "$lifeline" 2>/dev/null
exit "$code"
