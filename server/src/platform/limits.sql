-- Counts limits in the caller's transaction: what is rolled back was never counted. `limits.ts` says what limits are;
-- SQL of features that decides who gets something counts only through this.
--
-- Takes one object for each count: `n`, and a counter as `limits.counter` gives it (`key`, `max`, `seconds`). Counts of
-- one `n` belong together: all are made, or none of them if one is beyond its maximum. They are decided in the order of
-- `n`. Returns for each `n` whether it was counted, and the seconds until the windows of the counters that refused it
-- end (0 if none did).
CREATE OR REPLACE FUNCTION count_limits(asked jsonb)
RETURNS TABLE (n integer, ok boolean, seconds_left integer) LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := product_now();
  span integer;
  item record;
  -- By rank of the counter: its key, the seconds until its window ends, its count as stored, and its count with what is
  -- decided so far.
  keys bytea[] := '{}';
  lefts integer[] := '{}';
  stored integer[] := '{}';
  counted integer[] := '{}';
  some_keys bytea[];
  some_lefts integer[];
  some_stored integer[];
  some_counted integer[];
BEGIN
  -- Everything is added first, each counter once: its row's lock makes those wait who count it at the same moment. All
  -- lock in the order of their keys, as `limits.ts` does, so that nobody waits in a circle.
  FOR span IN SELECT DISTINCT a.seconds FROM jsonb_to_recordset(asked) AS a(seconds integer) ORDER BY 1 LOOP
    WITH added AS MATERIALIZED (
      SELECT decode(a.key, 'hex') AS key, count(*)::integer AS times
        FROM jsonb_to_recordset(asked) AS a(key text, seconds integer)
       WHERE a.seconds = span
       GROUP BY 1
       ORDER BY 1
    ), put AS (
      INSERT INTO limit_counters AS c (key, window_start, count)
      SELECT a.key, moment, a.times FROM added a
      ON CONFLICT (key) DO UPDATE SET
        window_start = CASE WHEN c.window_start + make_interval(secs => span) <= moment
          THEN moment ELSE c.window_start END,
        -- Stays below the type's maximum, whatever a flood does.
        count = CASE WHEN c.window_start + make_interval(secs => span) <= moment
          THEN excluded.count ELSE least(c.count, 1000000000) + excluded.count END
      RETURNING c.key, c.count, c.window_start
    )
    SELECT array_agg(p.key ORDER BY p.key), array_agg(p.count ORDER BY p.key),
           array_agg(p.count - a.times ORDER BY p.key),
           array_agg(greatest(1, ceil(extract(epoch FROM
             p.window_start + make_interval(secs => span) - moment)))::integer ORDER BY p.key)
      INTO some_keys, some_stored, some_counted, some_lefts
      FROM put p JOIN added a ON a.key = p.key;
    keys := keys || some_keys;
    stored := stored || some_stored;
    counted := counted || some_counted;
    lefts := lefts || some_lefts;
  END LOOP;

  FOR item IN
    SELECT r.n, array_agg(r.rank) AS ranks, array_agg(r.max) AS maxima
      FROM (SELECT a.n, a.max, dense_rank() OVER (ORDER BY a.seconds, decode(a.key, 'hex'))::integer AS rank
             FROM jsonb_to_recordset(asked) AS a(n integer, key text, max integer, seconds integer)) r
     GROUP BY r.n
     ORDER BY r.n
  LOOP
    n := item.n;
    seconds_left := 0;
    FOR at IN 1 .. cardinality(item.ranks) LOOP
      IF counted[item.ranks[at]] >= item.maxima[at] THEN
        seconds_left := greatest(seconds_left, lefts[item.ranks[at]]);
      END IF;
    END LOOP;
    ok := seconds_left = 0;
    IF ok THEN
      FOR at IN 1 .. cardinality(item.ranks) LOOP
        counted[item.ranks[at]] := counted[item.ranks[at]] + 1;
      END LOOP;
    END IF;
    RETURN NEXT;
  END LOOP;

  IF counted <> stored THEN
    UPDATE limit_counters c SET count = t.counted
      FROM unnest(keys, stored, counted) AS t(key, stored, counted)
     WHERE c.key = t.key AND t.counted <> t.stored;
  END IF;
END $$;
