#!/bin/sh
# Starts coturn in its container with the given settings. From the environment it takes
#
#   TURN_SECRET     as Fieldroom has it
#   VIDEO_ADDRESS   the public IPv4 address of the machine
#
# The settings with the secret are written to /tmp, which is in memory, for this user alone. TLS is off, because the container has no
# certificate: what passes here is encrypted between browser and Janus anyway.
set -eu
umask 077

secret=${TURN_SECRET:-}
# Only characters that mean nothing special to coturn's settings.
case "$secret" in *[!A-Za-z0-9_-]*) echo 'TURN_SECRET may only have letters, digits, - and _' >&2; exit 1 ;; esac
[ "${#secret}" -ge 16 ] || { echo 'TURN_SECRET has to be 16 characters or longer' >&2; exit 1; }
: "${VIDEO_ADDRESS:?has to be set to the public address}"

to=$(mktemp -d)
awk '/^(syslog|tls-listening-port)/ { next }
  { gsub("PUT-THE-VALUE-OF-TURN_SECRET-HERE", ENVIRON["TURN_SECRET"]); print }
  END {
    print "no-tls\nno-dtls\nlog-file=stdout\nexternal-ip=" ENVIRON["VIDEO_ADDRESS"]
    print "pidfile=" to "/pid\nuserdb=" to "/db"
  }' to="$to" "$1" > "$to/turnserver.conf"
exec turnserver -c "$to/turnserver.conf"
