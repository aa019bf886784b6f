-- Writes a move of the running live session of a therapist. Every act on a field waits for it, so it is one call whose
-- plans are kept (README, "What it costs"). A quick repeat joins the last move (README, rule 4). Returns the number of
-- a new move and whether the live session has a part; nothing when the move joined, and when no live session runs. The
-- caller holds the room's row, so no other move comes between.
CREATE OR REPLACE FUNCTION write_move(
  of_therapist bigint, new_revision bigint, new_kind text, side text, placed bigint, new_steps jsonb,
  part_moves integer, same_seconds double precision, at_most_seconds double precision)
RETURNS TABLE (session_id bigint, move_number integer, has_part boolean) LANGUAGE plpgsql AS $$
DECLARE
  running bigint;
  last_move moves%ROWTYPE;
BEGIN
  SELECT s.id INTO running FROM live_sessions s WHERE s.therapist_id = of_therapist AND s.ended_at IS NULL;
  IF running IS NULL THEN
    RETURN;
  END IF;
  SELECT m.* INTO last_move FROM moves m WHERE m.live_session_id = running ORDER BY m.number DESC LIMIT 1;
  IF last_move.placed_figure = placed AND last_move.moved_by = side
     AND last_move.moved_at > product_now() - make_interval(secs => same_seconds)
     AND last_move.begun_at > product_now() - make_interval(secs => at_most_seconds)
     AND last_move.number % part_moves <> 0
     AND NOT EXISTS (SELECT FROM moments k WHERE k.live_session_id = running AND k.after_move >= last_move.number) THEN
    UPDATE moves m
       SET revision = new_revision, moved_at = product_now(),
           steps = jsonb_set(m.steps, '{0,set}', (m.steps #> '{0,set}') || (new_steps #> '{0,set}'))
     WHERE m.id = last_move.id;
    RETURN;
  END IF;
  session_id := running;
  move_number := 1 + coalesce(last_move.number,
    (SELECT max(p.after_move) FROM move_parts p WHERE p.live_session_id = running), 0);
  INSERT INTO moves (live_session_id, number, revision, kind, moved_by, placed_figure, steps)
    VALUES (running, move_number, new_revision, new_kind, side, placed, new_steps);
  has_part := EXISTS (SELECT FROM move_parts p WHERE p.live_session_id = running);
  RETURN NEXT;
END
$$;
