-- As before, with the time asked for once and not for each hold.
CREATE OR REPLACE FUNCTION booking_counts(of_event bigint, OUT held integer, OUT confirmed integer) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (count(*) FILTER (WHERE state = 'HELD' AND held_until > (SELECT product_now())))::integer,
         (count(*) FILTER (WHERE state = 'CONFIRMED'))::integer
    FROM bookings WHERE event_id = of_event AND state IN ('HELD', 'CONFIRMED')
$$;
--> statement-breakpoint
-- What of an event decides whether it can be booked, and who invites to it; an event of nobody who can be met is none.
-- `version` changes with everything that a letter about the event tells.
CREATE VIEW bookable_events AS
  SELECT e.id, e.places,
         CASE WHEN e.deleted_at IS NOT NULL THEN 'not_found'
              WHEN e.status = 'CANCELLED' THEN 'event_cancelled'
              WHEN e.starts_at <= (SELECT product_now()) THEN 'event_closed' END AS refusal,
         md5(concat_ws('|', extract(epoch FROM e.updated_at), a.first_name, a.last_name, a.join_link, a.language, a.time_zone)) AS version
    FROM events e
    JOIN accounts a ON a.id = e.therapist_id
   WHERE a.email_verified_at IS NOT NULL AND a.suspended_at IS NULL AND 'ROLE_THERAPIST' = ANY (a.roles);
--> statement-breakpoint
-- Somebody who wants a place. `n` counts from 1 through the list; `version` is that of the event which the letter was
-- written by, null where nothing is to be compared; `words` the number of the letter's words, null for nobody to write
-- to.
CREATE TYPE hold_request AS (
  n integer, event_id bigint, version text, source bytea,
  first_name text, last_name text, email text, email_normalized text, phone text, language text,
  held_until timestamptz, extended boolean, token_hash bytea, handle_hash bytea,
  words integer, token text, letter_id uuid, message_id text
);
--> statement-breakpoint
-- Takes places for a list of people, all or nothing, and answers each of them in the order of the list:
--   held              booking, token, handle and letter are written
--   known             the address has a place already; only a handle is written
--   not_found, event_cancelled, event_closed, event_full, event_holds_full
--   too_many_holds    from this source as many holds are open as may be
--   stale             event or time are not what the letter says; nothing is written
--   busy              somebody else has event or source locked, and `patient` is false; nothing is written
-- In: `letters` the words of letters by `n`, the same for all who book the same event in one language but for the
-- token, which goes to the place of `mark`; `open_max` open holds a source, null for any number. VOLATILE, so that each
-- statement reads what was committed while the locks were waited for. `product_now()` is the time at which the call
-- began: a hold that ended in the meantime still counts, so nothing is given away twice. Source: docs/product.md#9.12;
-- the arithmetic is that of `noSeat` and `maxHeld` in the contract's bookings.rules.
CREATE FUNCTION take_holds(items jsonb, letters jsonb, open_max integer, patient boolean)
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
  -- By rank of event and source: what is taken while the list is gone through.
  held integer[];
  opened integer[];
  people text[] := '{}';
  verdicts text[];
  ids bigint[];
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
      SELECT w.event_id, e.refusal, e.places, e.version, c.held, c.confirmed,
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
           r.version IS NOT NULL AND (r.version IS DISTINCT FROM f.version OR r.held_until <= moment) AS stale,
           dense_rank() OVER (ORDER BY r.event_id)::integer AS of_event, dense_rank() OVER (ORDER BY r.source)::integer AS of_source,
           EXISTS (SELECT FROM bookings b WHERE b.event_id = r.event_id AND b.email_normalized = r.email_normalized AND b.state IN ('HELD', 'CONFIRMED')) AS known
      FROM unnest(requests) r
      JOIN facts f ON f.event_id = r.event_id
      LEFT JOIN sources s ON s.source = r.source
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
      WHEN item.known OR person = ANY (people) THEN 'known'
      ELSE 'held' END;
    IF decided IN ('held', 'known') THEN opened[item.of_source] := opened[item.of_source] + 1; END IF;
    IF decided = 'held' THEN
      held[item.of_event] := held[item.of_event] + 1;
      people := people || person;
      ids[item.n] := nextval('bookings_id_seq');
    END IF;
    verdicts[item.n] := decided;
  END LOOP;

  IF 'held' = ANY (verdicts) THEN
    INSERT INTO bookings (id, event_id, state, first_name, last_name, email, email_normalized, phone, language, held_until, extended, created_at) OVERRIDING SYSTEM VALUE
      SELECT ids[r.n], r.event_id, 'HELD', r.first_name, r.last_name, r.email, r.email_normalized, r.phone, r.language, r.held_until, r.extended, moment
        FROM unnest(requests) r WHERE verdicts[r.n] = 'held';
    INSERT INTO booking_tokens (token_hash, booking_id, purpose, created_at)
      SELECT r.token_hash, ids[r.n], 'letter', moment FROM unnest(requests) r WHERE verdicts[r.n] = 'held';
    INSERT INTO outbox_letters (id, message_id, kind, language, to_address, reply_to, subject, text, html, about, created_at, not_before, sent_at)
      SELECT r.letter_id, r.message_id, l.kind, l.language, r.email, l.reply_to, l.subject, replace(l.text, l.mark, r.token), replace(l.html, l.mark, r.token),
             'booking ' || ids[r.n], moment, moment, CASE WHEN l.sent THEN moment END
        FROM unnest(requests) r
        JOIN jsonb_to_recordset(letters) AS l(n integer, kind text, language text, reply_to text, subject text, text text, html text, mark text, sent boolean) ON l.n = r.words
       WHERE verdicts[r.n] = 'held' ORDER BY r.n;
  END IF;
  INSERT INTO booking_handles (handle_hash, event_id, booking_id, source, first_name, last_name, email, phone, language, held_until, extended, created_at)
    SELECT r.handle_hash, r.event_id, ids[r.n], r.source, r.first_name, r.last_name, r.email, r.phone, r.language, r.held_until, r.extended, moment
      FROM unnest(requests) r WHERE verdicts[r.n] IN ('held', 'known');

  RETURN QUERY SELECT r.n, verdicts[r.n], ids[r.n] FROM unnest(requests) r;
END $$;
--> statement-breakpoint
-- Letters are written where people wait for places: with lz4, where the server has it, that takes a fraction of the
-- time.
DO $$ BEGIN
  ALTER TABLE outbox_letters ALTER COLUMN html SET COMPRESSION lz4, ALTER COLUMN text SET COMPRESSION lz4, ALTER COLUMN attachments SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported OR invalid_parameter_value THEN NULL;
END $$;
