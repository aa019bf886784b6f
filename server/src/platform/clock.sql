-- The product clock (clock.ts): the time that decides everything in the product. Tests and the demo move it.
-- The elapsed time is taken in seconds. The difference of two timestamps counts days, and a day that is added to a
-- timestamp follows the clock on the wall: in a session whose zone has summer time, an hour would be missing.

-- For statements that need the time in several places. A view becomes part of the statement, while a function that
-- reads a table starts again for each place.
CREATE OR REPLACE VIEW product_moment AS
  SELECT anchor_product
         + make_interval(secs => extract(epoch FROM statement_timestamp() - anchor_real)::float8 * speed) AS now
    FROM product_clock WHERE id = 1;

-- For all other statements. STABLE: one statement sees one time.
CREATE OR REPLACE FUNCTION product_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT now FROM product_moment
$$;
