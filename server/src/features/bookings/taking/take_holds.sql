-- Takes places for a list of people. Each gets a verdict; a person who gets a place gets booking, token, handle and
-- email in this one statement. `takeHolds` (bookings.taking.store.ts) calls it; the rules are 1 to 7 of the README.
--
-- Verdicts:
--   held              booking, token, handle and email are written, and the email is counted; beyond the limits of its
--                     counters it is left out
--   known             the address has a live booking already: a handle is written, which takes a place as a hold would
--                     (a decoy), and the email about that booking
--   not_found, event_cancelled, event_closed, event_full, event_holds_full
--   too_few_places    places are open, but fewer than the person wants (rule 27)
--   too_many_holds    the source has as many open holds as it may
--   stale             event, time or booking are not what the email says; nothing is written
--   busy              another transaction has locked the event or the source, and `patient` is false; nothing is
--                     written
--
-- Takes `items` as `hold_request` below; `all_words` and the email's fields as `put_prepared_emails` does; `open_max`,
-- the open holds a source may have (null for any number); and `patient`, whether to wait for locks.
--
-- VOLATILE, so that each statement in it sees what was committed while it waited for the locks. `product_now()` is the
-- time at which the call began: a hold that ended since then still counts, so nothing is given away twice. The
-- arithmetic is that of `noSeat` and `maxHeld` in the contract.

DROP FUNCTION IF EXISTS take_holds(jsonb, jsonb, integer, boolean);
DROP TYPE IF EXISTS hold_request;

-- Somebody who wants a place.
CREATE TYPE hold_request AS (
  -- Counts from 1 through the list; the order in which people came.
  n integer,
  event_id bigint,
  -- Version of the event when the email was composed; null if the caller has locked the event.
  version text,
  -- Keyed hash of the address block the request came from.
  source bytea,
  -- How many places the person wants.
  places integer,
  first_name text, last_name text, email text, email_normalized text, phone text, language text,
  held_until timestamptz, extended boolean, token_hash bytea, handle_hash bytea,
  -- The live booking of this address when the email was composed: its id, until when it was held (null when confirmed),
  -- and the address as its owner wrote it.
  live_id bigint, live_until timestamptz, live_email text,
  -- The email: which words, its token, id and Message-ID, and a list of what counts it (limits.sql).
  words integer, token text, email_id uuid, message_id text, counters jsonb
);

CREATE FUNCTION take_holds(items jsonb, all_words jsonb, open_max integer, patient boolean)
RETURNS TABLE (n integer, verdict text) LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  requests hold_request[] := ARRAY(SELECT r FROM jsonb_populate_recordset(null::hold_request, items) r ORDER BY r.n);
  free_sources bytea[];
  locked bigint[];
  moment timestamptz;
  item record;
  decided text;
  person text;
  -- By rank of event and source; the loop keeps counting in them. `held` includes decoys.
  held integer[];
  opened integer[];
  -- The people who got a place from this list, and their bookings.
  people text[] := '{}';
  theirs bigint[] := '{}';
  verdicts text[];
  ids bigint[];
  -- The booking that each email and token is about.
  abouts bigint[];
  -- Those whose address has got its emails.
  silent integer[];
BEGIN
  -- Sources in their order first, then events in the order of their ids: no two calls wait for each other.
  IF open_max IS NOT NULL THEN
    FOR item IN SELECT DISTINCT r.source FROM unnest(requests) r ORDER BY 1 LOOP
      IF patient THEN
        PERFORM pg_advisory_xact_lock(
          hashtextextended('open holds', ('x' || encode(substr(item.source, 1, 8), 'hex'))::bit(64)::bigint));
        free_sources := free_sources || item.source;
      ELSIF pg_try_advisory_xact_lock(
          hashtextextended('open holds', ('x' || encode(substr(item.source, 1, 8), 'hex'))::bit(64)::bigint))
          THEN
        free_sources := free_sources || item.source;
      END IF;
    END LOOP;
  END IF;
  IF patient THEN
    SELECT array_agg(l.id) INTO locked
      FROM (SELECT e.id FROM events e WHERE e.id IN (SELECT r.event_id FROM unnest(requests) r)
           ORDER BY e.id FOR NO KEY UPDATE) l;
  ELSE
    SELECT array_agg(l.id) INTO locked
      FROM (SELECT e.id FROM events e WHERE e.id IN (SELECT r.event_id FROM unnest(requests) r)
           ORDER BY e.id FOR NO KEY UPDATE SKIP LOCKED) l;
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
            FROM (SELECT FROM booking_handles h
                 WHERE h.source = w.source AND h.held_until > moment AND h.used_at IS NULL LIMIT open_max) few) o
    )
    SELECT r.n, r.event_id, r.places AS wanted, r.email_normalized, f.missing, f.refusal, f.places, f.held,
       f.confirmed, coalesce(s.opened, 0) AS opened,
           f.busy OR (open_max IS NOT NULL AND NOT coalesce(r.source = ANY (free_sources), false)) AS busy,
           r.version IS NOT NULL AND (r.version IS DISTINCT FROM f.version OR r.held_until <= moment)
             OR r.live_id IS DISTINCT FROM live.id
                 OR r.live_until IS DISTINCT FROM CASE WHEN live.state = 'HELD' THEN live.held_until END AS stale,
           dense_rank() OVER (ORDER BY r.event_id)::integer AS of_event,
           dense_rank() OVER (ORDER BY r.source)::integer AS of_source,
           live.id AS live
      FROM unnest(requests) r
      JOIN facts f ON f.event_id = r.event_id
      LEFT JOIN sources s ON s.source = r.source
      LEFT JOIN bookings live ON live.event_id = r.event_id
         AND live.email_normalized = r.email_normalized AND live.state IN ('HELD', 'CONFIRMED')
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
      WHEN held[item.of_event] + item.confirmed + item.wanted > item.places
        OR held[item.of_event] + item.wanted > CASE WHEN item.places > 4 THEN item.places / 2 ELSE item.places END THEN 'too_few_places'
      WHEN opened[item.of_source] >= open_max THEN 'too_many_holds'
      WHEN item.stale THEN 'stale'
      WHEN item.live IS NOT NULL OR person = ANY (people) THEN 'known'
      ELSE 'held' END;
    IF decided IN ('held', 'known') THEN
      opened[item.of_source] := opened[item.of_source] + 1;
      held[item.of_event] := held[item.of_event] + item.wanted;
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
    -- The same statements for known and new addresses, so that both take the same time.
    INSERT INTO bookings (id, event_id, state, places, first_name, last_name, email,
      email_normalized, phone, language, held_until, extended, created_at)
      OVERRIDING SYSTEM VALUE
      SELECT ids[r.n], r.event_id, 'HELD', r.places, r.first_name, r.last_name, r.email,
        r.email_normalized, r.phone, r.language, r.held_until, r.extended, moment
        FROM unnest(requests) r WHERE verdicts[r.n] = 'held';
    INSERT INTO booking_tokens (token_hash, booking_id, purpose, created_at)
      SELECT r.token_hash, abouts[r.n], CASE WHEN r.live_id IS NOT NULL AND r.live_until IS NULL THEN 'private' ELSE 'email' END, moment
        FROM unnest(requests) r WHERE verdicts[r.n] IN ('held', 'known');
    SELECT array_agg(c.n) FILTER (WHERE NOT c.ok) INTO silent FROM count_limits((
      SELECT jsonb_agg(c.counter || jsonb_build_object('n', r.n))
        FROM unnest(requests) r CROSS JOIN LATERAL jsonb_array_elements(r.counters) AS c(counter)
       WHERE verdicts[r.n] IN ('held', 'known'))) c;
    -- A person who got a place in this very list may be known to a later item: the email about that booking uses the
    -- address and the language of the first. A node of the version before has counted itself, and sends an item without
    -- an email beyond the limits.
    PERFORM put_prepared_emails((
      SELECT jsonb_agg(jsonb_build_object(
               'n', r.n, 'id', r.email_id, 'message_id', r.message_id,
               'to', coalesce(r.live_email, first.email, r.email),
               'about', 'booking ' || abouts[r.n], 'words', coalesce(first.words, r.words), 'token', r.token))
        FROM unnest(requests) r
        LEFT JOIN unnest(requests) first ON verdicts[r.n] = 'known' AND ids[first.n] = abouts[r.n]
       WHERE verdicts[r.n] IN ('held', 'known') AND r.n <> ALL (coalesce(silent, '{}')) AND r.email_id IS NOT NULL),
      all_words, moment);
    INSERT INTO booking_handles (handle_hash, event_id, booking_id, source, places, first_name, last_name, email, phone,
      language, held_until, extended, created_at)
      SELECT r.handle_hash, r.event_id, ids[r.n], r.source, r.places, r.first_name, r.last_name, r.email,
        r.phone, r.language, r.held_until, r.extended, moment
        FROM unnest(requests) r WHERE verdicts[r.n] IN ('held', 'known');
  END IF;

  RETURN QUERY SELECT r.n, verdicts[r.n] FROM unnest(requests) r;
END $$;
