-- What a list of events costs the database is mostly the writing of its texts, so each row keeps its own, derived by
-- the database whenever the row is written: it can't be older than the row. What is taken, and the other days of the
-- series, are not in it; they are read at the moment of asking.
-- The values in the order that `events.lists.store` reads, as a JSON array. Instants in UTC with milliseconds, days as
-- YYYY-MM-DD, times as HH:mm: none of it depends on a setting, therefore IMMUTABLE.
CREATE FUNCTION event_as_listed(id bigint, series_id bigint, therapist_id bigint, status text, type text, is_online boolean, name text, location text, address text, description text, dates date[], start_time time, end_time time, time_zone text, starts_at timestamptz, ends_at timestamptz, repetition_rule jsonb, price_minor bigint, currency text, places integer, image_file uuid, cancel_reason text, deleted_at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT json_build_array(id, series_id, therapist_id, status, type, is_online, name, location, address, description, dates, left(start_time::text, 5), left(end_time::text, 5), time_zone,
                          to_char(starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), to_char(ends_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), repetition_rule, price_minor, currency, places,
                          image_file, cancel_reason, deleted_at IS NOT NULL)::text
$$;
--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "as_listed" text GENERATED ALWAYS AS (event_as_listed("id", "series_id", "therapist_id", "status", "type", "is_online", "name", "location", "address", "description", "dates", "start_time", "end_time", "time_zone", "starts_at", "ends_at", "repetition_rule", "price_minor", "currency", "places", "image_file", "cancel_reason", "deleted_at")) STORED NOT NULL;
--> statement-breakpoint
DROP INDEX "events_of_series";--> statement-breakpoint
CREATE INDEX "events_upcoming" ON "events" USING btree ("therapist_id","ends_at","starts_at","id","type","dates") WHERE status = 'PUBLISHED' and deleted_at is null;--> statement-breakpoint
CREATE INDEX "events_of_series" ON "events" USING btree ("series_id","starts_at","id","status","deleted_at","dates");
--> statement-breakpoint
-- `product_now()` for statements that need it at several places: as a view it becomes part of the statement, while a
-- function over a table is begun anew for each.
CREATE VIEW product_moment AS
  SELECT anchor_product + (statement_timestamp() - anchor_real) * speed AS now FROM product_clock WHERE id = 1;
--> statement-breakpoint
-- What of several events is taken at a moment, as `booking_counts` tells it of one; events of which nothing is taken
-- are left out. One look into each index for all of them.
CREATE FUNCTION booking_counts_of(of_events bigint[], moment timestamptz) RETURNS TABLE (event_id bigint, held integer, confirmed integer, decoys integer) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT one.event_id, count(*) FILTER (WHERE one.kind = 'HELD')::integer, count(*) FILTER (WHERE one.kind = 'CONFIRMED')::integer, count(*) FILTER (WHERE one.kind = 'DECOY')::integer
    FROM (SELECT b.event_id, b.state AS kind FROM bookings b
           WHERE b.event_id = ANY (of_events) AND b.state IN ('HELD', 'CONFIRMED') AND (b.state = 'CONFIRMED' OR b.held_until > moment)
          UNION ALL
          SELECT h.event_id, 'DECOY' FROM booking_handles h
           WHERE h.event_id = ANY (of_events) AND h.booking_id IS NULL AND h.used_at IS NULL AND h.held_until > moment) one
   GROUP BY one.event_id
$$;
