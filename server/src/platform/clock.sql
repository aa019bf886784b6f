-- The product clock (clock.ts): the time that decides everything in the product. Tests and the demo move it.
-- STABLE: one statement sees one time.
CREATE OR REPLACE FUNCTION product_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT anchor_product + (statement_timestamp() - anchor_real) * speed FROM product_clock WHERE id = 1
$$;

-- `product_now()` for statements that need it in several places. A view becomes part of the statement, while a function
-- that reads a table starts again for each place.
CREATE OR REPLACE VIEW product_moment AS
  SELECT anchor_product + (statement_timestamp() - anchor_real) * speed AS now FROM product_clock WHERE id = 1;
