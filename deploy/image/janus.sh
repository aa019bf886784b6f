#!/bin/sh
# Starts Janus in its container with the settings in the given folder. From the environment it takes
#
#   JANUS_SECRET      as Fieldroom has it
#   JANUS_ADMIN_KEY   as Fieldroom has it
#   JANUS_PORTS       the UDP ports that the container publishes under the same numbers, such as 42000-42399
#   VIDEO_ADDRESS     the public IPv4 address of the machine
#
# The settings with the secrets are written to /tmp, which is in memory, for this user alone.
set -eu
umask 077

# Only characters that mean nothing special to Janus' settings, so that no secret can end its own line.
check() {
  case "$2" in *[!A-Za-z0-9_-]*) echo "$1 may only have letters, digits, - and _" >&2; exit 1 ;; esac
  [ "${#2}" -ge 16 ] || { echo "$1 has to be 16 characters or longer" >&2; exit 1; }
}
check JANUS_SECRET "${JANUS_SECRET:-}"
check JANUS_ADMIN_KEY "${JANUS_ADMIN_KEY:-}"
: "${JANUS_PORTS:?has to be set, such as 42000-42399}"
: "${VIDEO_ADDRESS:?has to be set to the public address}"

to=$(mktemp -d)
for file in "$1"/*.jcfg; do
  # Inside the container, loopback would be closed to Fieldroom. The port is not published, and the network is Fieldroom's and Janus' own.
  awk '{
    gsub("PUT-THE-VALUE-OF-JANUS_SECRET-HERE", ENVIRON["JANUS_SECRET"])
    gsub("PUT-THE-VALUE-OF-JANUS_ADMIN_KEY-HERE", ENVIRON["JANUS_ADMIN_KEY"])
    sub("ws_ip = \"127.0.0.1\"", "ws_ip = \"0.0.0.0\"")
    print
  }' "$file" > "$to/${file##*/}"
done
exec janus --configs-folder="$to" --config="$to/janus.jcfg" --disable-colors \
  --rtp-port-range="$JANUS_PORTS" --nat-1-1="$VIDEO_ADDRESS"
