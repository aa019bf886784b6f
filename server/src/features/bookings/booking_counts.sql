-- How many places of an event are held, confirmed, or taken by decoys (README, rule 4) at this moment. A booking may
-- have several places (rule 27). Only the public counts decoys; the planner leaves them out of statements that do not
-- ask for them. Returns a table, because then the function becomes part of the statement that calls it; one that
-- returns a record would be called for each row.
CREATE OR REPLACE FUNCTION booking_counts(of_event bigint)
RETURNS TABLE (held integer, confirmed integer, decoys integer) LANGUAGE sql STABLE PARALLEL SAFE ROWS 1 AS $$
  SELECT coalesce(sum(places) FILTER (WHERE state = 'HELD' AND held_until > product_now()), 0)::integer,
         coalesce(sum(places) FILTER (WHERE state = 'CONFIRMED'), 0)::integer,
         (SELECT coalesce(sum(h.places), 0)::integer FROM booking_handles h
            WHERE h.event_id = of_event AND h.booking_id IS NULL AND h.used_at IS NULL
            AND h.held_until > product_now())
    FROM bookings WHERE event_id = of_event AND state IN ('HELD', 'CONFIRMED')
$$;

-- The same for several events at a given moment, with one look into each index. Events of which nothing is taken are
-- left out.
CREATE OR REPLACE FUNCTION booking_counts_of(of_events bigint[], moment timestamptz)
RETURNS TABLE (event_id bigint, held integer, confirmed integer, decoys integer) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT one.event_id, coalesce(sum(one.places) FILTER (WHERE one.kind = 'HELD'), 0)::integer,
         coalesce(sum(one.places) FILTER (WHERE one.kind = 'CONFIRMED'), 0)::integer,
         coalesce(sum(one.places) FILTER (WHERE one.kind = 'DECOY'), 0)::integer
    FROM (SELECT b.event_id, b.state AS kind, b.places FROM bookings b
           WHERE b.event_id = ANY (of_events) AND b.state IN ('HELD', 'CONFIRMED')
             AND (b.state = 'CONFIRMED' OR b.held_until > moment)
          UNION ALL
          SELECT h.event_id, 'DECOY', h.places FROM booking_handles h
           WHERE h.event_id = ANY (of_events) AND h.booking_id IS NULL AND h.used_at IS NULL
             AND h.held_until > moment) one
   GROUP BY one.event_id
$$;

-- How many people have a held or a confirmed booking of an event at this moment. Each of them gets the emails about it,
-- whatever number of places they have.
CREATE OR REPLACE FUNCTION booking_people(of_event bigint)
RETURNS TABLE (held integer, confirmed integer) LANGUAGE sql STABLE PARALLEL SAFE ROWS 1 AS $$
  SELECT (count(*) FILTER (WHERE state = 'HELD' AND held_until > product_now()))::integer,
         (count(*) FILTER (WHERE state = 'CONFIRMED'))::integer
    FROM bookings WHERE event_id = of_event AND state IN ('HELD', 'CONFIRMED')
$$;
