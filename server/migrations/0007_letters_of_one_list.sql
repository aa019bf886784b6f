-- Somebody who tries twice at the very same moment, with the address written in two ways or in two languages: both
-- letters are about the one booking that came of it, so both go to the address and speak the language of that booking.
CREATE OR REPLACE FUNCTION take_holds(items jsonb, letters jsonb, open_max integer, patient boolean)
RETURNS TABLE (n integer, verdict text, booking_id bigint) LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  requests hold_request[] := ARRAY(SELECT r FROM jsonb_populate_recordset(null::hold_request, items) r ORDER BY r.n);
  free_sources bytea[];
  locked bigint[];
  moment timestamptz;
  item record;
  decided text;
  person text;
  -- By rank of event and source: what is taken while the list is gone through. Decoys are among what is held.
  held integer[];
  opened integer[];
  -- Who got a place from this list, and the booking that is theirs.
  people text[] := '{}';
  theirs bigint[] := '{}';
  verdicts text[];
  ids bigint[];
  -- The booking that each letter and token is about.
  abouts bigint[];
BEGIN
  -- Sources first and in order, then events in the order of their ids: nobody waits in a circle.
  IF open_max IS NOT NULL THEN
    FOR item IN SELECT DISTINCT r.source FROM unnest(requests) r ORDER BY 1 LOOP
      IF patient THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('open holds', ('x' || encode(substr(item.source, 1, 8), 'hex'))::bit(64)::bigint));
        free_sources := free_sources || item.source;
      ELSIF pg_try_advisory_xact_lock(hashtextextended('open holds', ('x' || encode(substr(item.source, 1, 8), 'hex'))::bit(64)::bigint)) THEN
        free_sources := free_sources || item.source;
      END IF;
    END LOOP;
  END IF;
  IF patient THEN
    SELECT array_agg(l.id) INTO locked
      FROM (SELECT e.id FROM events e WHERE e.id IN (SELECT r.event_id FROM unnest(requests) r) ORDER BY e.id FOR NO KEY UPDATE) l;
  ELSE
    SELECT array_agg(l.id) INTO locked
      FROM (SELECT e.id FROM events e WHERE e.id IN (SELECT r.event_id FROM unnest(requests) r) ORDER BY e.id FOR NO KEY UPDATE SKIP LOCKED) l;
  END IF;

  moment := product_now();
  UPDATE bookings b SET state = 'EXPIRED', ended_at = b.held_until, ended_by = 'time'
   WHERE b.event_id = ANY (locked) AND b.state = 'HELD' AND b.held_until <= moment;

  FOR item IN
    WITH facts AS MATERIALIZED (
      SELECT w.event_id, e.refusal, e.places, e.version, c.held + c.decoys AS held, c.confirmed,
             e.id IS NULL AS missing, NOT coalesce(w.event_id = ANY (locked), false) AS busy
        FROM (SELECT DISTINCT r.event_id FROM unnest(requests) r) w
        LEFT JOIN bookable_events e ON e.id = w.event_id
        LEFT JOIN LATERAL booking_counts(w.event_id) c ON e.id IS NOT NULL
    ), sources AS MATERIALIZED (
      SELECT w.source, o.opened
        FROM (SELECT DISTINCT r.source FROM unnest(requests) r WHERE open_max IS NOT NULL) w
        CROSS JOIN LATERAL (
          SELECT count(*)::integer AS opened
            FROM (SELECT FROM booking_handles h WHERE h.source = w.source AND h.held_until > moment AND h.used_at IS NULL LIMIT open_max) few) o
    )
    SELECT r.n, r.event_id, r.email_normalized, f.missing, f.refusal, f.places, f.held, f.confirmed, coalesce(s.opened, 0) AS opened,
           f.busy OR (open_max IS NOT NULL AND NOT coalesce(r.source = ANY (free_sources), false)) AS busy,
           r.version IS NOT NULL AND (r.version IS DISTINCT FROM f.version OR r.held_until <= moment)
             OR r.live_id IS DISTINCT FROM live.id OR r.live_until IS DISTINCT FROM CASE WHEN live.state = 'HELD' THEN live.held_until END AS stale,
           dense_rank() OVER (ORDER BY r.event_id)::integer AS of_event, dense_rank() OVER (ORDER BY r.source)::integer AS of_source,
           live.id AS live
      FROM unnest(requests) r
      JOIN facts f ON f.event_id = r.event_id
      LEFT JOIN sources s ON s.source = r.source
      LEFT JOIN bookings live ON live.event_id = r.event_id AND live.email_normalized = r.email_normalized AND live.state IN ('HELD', 'CONFIRMED')
     ORDER BY r.n
  LOOP
    held[item.of_event] := coalesce(held[item.of_event], item.held);
    opened[item.of_source] := coalesce(opened[item.of_source], item.opened);
    person := item.event_id || ' ' || item.email_normalized;
    decided := CASE
      WHEN item.missing THEN 'not_found'
      WHEN item.busy THEN 'busy'
      WHEN item.refusal IS NOT NULL THEN item.refusal
      WHEN held[item.of_event] + item.confirmed >= item.places THEN 'event_full'
      WHEN held[item.of_event] >= CASE WHEN item.places > 4 THEN item.places / 2 ELSE item.places END THEN 'event_holds_full'
      WHEN opened[item.of_source] >= open_max THEN 'too_many_holds'
      WHEN item.stale THEN 'stale'
      WHEN item.live IS NOT NULL OR person = ANY (people) THEN 'known'
      ELSE 'held' END;
    IF decided IN ('held', 'known') THEN
      opened[item.of_source] := opened[item.of_source] + 1;
      held[item.of_event] := held[item.of_event] + 1;
    END IF;
    IF decided = 'held' THEN
      ids[item.n] := nextval('bookings_id_seq');
      people := people || person;
      theirs := theirs || ids[item.n];
      abouts[item.n] := ids[item.n];
    ELSIF decided = 'known' THEN
      abouts[item.n] := coalesce(item.live, theirs[array_position(people, person)]);
    END IF;
    verdicts[item.n] := decided;
  END LOOP;

  IF verdicts && ARRAY['held', 'known'] THEN
    -- The same statements for known and for new ones, so that it takes the same time.
    INSERT INTO bookings (id, event_id, state, first_name, last_name, email, email_normalized, phone, language, held_until, extended, created_at) OVERRIDING SYSTEM VALUE
      SELECT ids[r.n], r.event_id, 'HELD', r.first_name, r.last_name, r.email, r.email_normalized, r.phone, r.language, r.held_until, r.extended, moment
        FROM unnest(requests) r WHERE verdicts[r.n] = 'held';
    INSERT INTO booking_tokens (token_hash, booking_id, purpose, created_at)
      SELECT r.token_hash, abouts[r.n], CASE WHEN r.live_id IS NOT NULL AND r.live_until IS NULL THEN 'private' ELSE 'letter' END, moment
        FROM unnest(requests) r WHERE verdicts[r.n] IN ('held', 'known');
    INSERT INTO outbox_letters (id, message_id, kind, language, to_address, reply_to, subject, text, html, about, created_at, not_before, sent_at)
      SELECT r.letter_id, r.message_id, l.kind, l.language, coalesce(r.letter_to, first.email, r.email), l.reply_to, l.subject, replace(l.text, l.mark, r.token), replace(l.html, l.mark, r.token),
             'booking ' || abouts[r.n], moment, moment, CASE WHEN l.sent THEN moment END
        FROM unnest(requests) r
        -- Whoever got the place in this very list: the letter is about that booking, so it speaks its language and goes
        -- to its address.
        LEFT JOIN unnest(requests) first ON verdicts[r.n] = 'known' AND ids[first.n] = abouts[r.n]
        JOIN jsonb_to_recordset(letters) AS l(n integer, kind text, language text, reply_to text, subject text, text text, html text, mark text, sent boolean) ON l.n = coalesce(first.words, r.words)
       WHERE verdicts[r.n] IN ('held', 'known') ORDER BY r.n;
    INSERT INTO booking_handles (handle_hash, event_id, booking_id, source, first_name, last_name, email, phone, language, held_until, extended, created_at)
      SELECT r.handle_hash, r.event_id, ids[r.n], r.source, r.first_name, r.last_name, r.email, r.phone, r.language, r.held_until, r.extended, moment
        FROM unnest(requests) r WHERE verdicts[r.n] IN ('held', 'known');
  END IF;

  RETURN QUERY SELECT r.n, verdicts[r.n], ids[r.n] FROM unnest(requests) r;
END $$;
