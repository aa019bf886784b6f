-- Running intervals of one therapist never overlap (docs/product.md#7.1). A range of one id stands in for equality,
-- which GiST offers for numbers only with an extension.
ALTER TABLE "usage_intervals" ADD CONSTRAINT "usage_intervals_apart" EXCLUDE USING gist (
  int8range("therapist_id", "therapist_id", '[]') WITH &&,
  tstzrange("started_at", coalesce("ended_at", 'infinity'::timestamptz)) WITH &&
);
